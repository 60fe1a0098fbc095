"""Questions whose answer is a number of the reader's own deployment. Every figure is the sizing model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acts.deployed import deployed_cards
from acts.deployment import deploy, deploy_card, deploy_sequence, deploy_values
from acts.sizing import (
    bytes_per_token,
    ceil_div,
    crossover_tokens,
    forwarded_tokens,
    growth_bytes_per_token,
    heads_per_gpu,
    max_users,
    step_seconds,
)
from acts.text import (
    text_amount,
    text_bytes,
    text_count,
    text_fixed,
    text_gib,
    text_number,
    text_times,
    text_whole,
)

from .dice import quiz_between, quiz_pick
from .parts import (
    QUIZ_GIB,
    QUIZ_KIB,
    quiz_dense,
    quiz_grouped_heads,
    quiz_number,
    quiz_plain,
)

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Asked, Dice, Sizes, State
    from acts.sizing import LayerGroup, Shape

# How far off an answer may be, as a share of it: roughly, finely, and not at all for what is counted on fingers.
QUIZ_ROUGH = 0.05
QUIZ_FINE = 0.015
QUIZ_EXACT = 0
# Tokens of a block in the question about paging: vLLM's default.
QUIZ_BLOCK = 16
# Context lengths between which a windowed model's cache is asked to grow, in tokens.
QUIZ_SHORTER = 32768
QUIZ_LONGER = 65536


def quiz_decode_steps(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many decode steps an answer takes: one fewer than it has tokens."""
    prompt = 50 * quiz_between(dice, 4, 40)
    answer = quiz_between(dice, 12, 90)
    return quiz_number(
        f"{catalog.models[state.model].name} is given a prompt of {text_whole(prompt)} tokens and answers "
        f"with {text_whole(answer)}. How many decode steps does that take?",
        answer - 1,
        QUIZ_EXACT,
        "steps",
        "The prefill runs the whole prompt in one pass and already writes the first token of the answer. "
        f"The other {text_whole(answer - 1)} take a decode step each, and the last one is never run.",
        [
            [answer, "One too many: the prefill's own pass already writes the first token of the answer."],
            [
                prompt + answer,
                (
                    "The prompt takes no decode steps: its tokens go through the model side by side, in the "
                    "prefill."
                ),
            ],
            [
                prompt + answer - 1,
                "That is how many tokens are cached at the end. The prompt's went in together, in one pass.",
            ],
        ],
    )


def quiz_passes(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many times as many passes of a token a request takes without a cache."""
    prompt = 100 * quiz_between(dice, 2, 10)
    answer = 100 * quiz_between(dice, 1, 4)
    without = forwarded_tokens(prompt, answer, False)
    cached = forwarded_tokens(prompt, answer, True)
    return quiz_number(
        f"A prompt of {text_whole(prompt)} tokens is answered with {text_whole(answer)}. With a cache that "
        f"is {text_whole(cached)} passes of a token through {catalog.models[state.model].name}. How many "
        "times as many is it without one?",
        without / cached,
        QUIZ_ROUGH,
        "times",
        f"Without a cache every one of the {text_whole(answer)} tokens takes a pass over the whole text so "
        f"far, {text_whole(without)} in all: {text_times(without / cached)}. These are passes, not seconds. "
        "The clock gains less, and attention still reads every cached key.",
        [
            [
                answer,
                (
                    "That would be so if every step ran as many tokens as the request has in the end; early "
                    "ones run fewer."
                ),
            ],
            [
                without,
                (
                    "That is the number of passes without a cache. The question is how many times as many "
                    "they are."
                ),
            ],
        ],
    )


def quiz_head_ratio(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many times smaller grouped heads make the cache."""
    model = catalog.models[state.model]
    if not quiz_grouped_heads(model.shape):
        return None
    heads = model.shape.num_attention_heads
    kept = model.shape.groups[0].num_kv_heads
    return quiz_number(
        f"In each layer {model.name} has {text_whole(heads)} query heads and {text_count(kept, 'KV head')}. "
        "How many times smaller is its cache than if every query head kept a key and a value of its own?",
        heads // kept,
        QUIZ_EXACT,
        "times",
        f"{text_whole(heads // kept)} query heads read the same key and the same value, so only "
        f"{text_whole(kept)} of {text_whole(heads)} pairs are held: {text_times(heads // kept)} less to "
        "store, and less to read at each step.",
        [
            [
                2 * (heads // kept),
                (
                    "Keys and values are both shared, but that is one factor, not two: each shrinks by the "
                    "same share."
                ),
            ],
            [heads, "That would be a single KV head for all query heads, which is multi-query attention."],
            [kept, "That is how many KV heads there are; the saving is query heads divided by KV heads."],
        ],
    )


def quiz_token(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Bytes one token adds at 16 bits: layers, KV heads, the declared width, keys and values."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    group = model.shape.groups[0]
    cache = catalog.caches["bf16"]
    answer = bytes_per_token(model.shape, cache, cache) / QUIZ_KIB
    widths = f"{text_whole(group.key_width)} numbers"
    if group.key_width != group.value_width:
        widths = f"{text_whole(group.key_width)} and {text_whole(group.value_width)} numbers"
    return quiz_number(
        f"{model.name} has {text_whole(group.layers)} layers. In each, a token leaves a key and a value of "
        f"{widths} for each of {text_count(group.num_kv_heads, 'KV head')}. How many KiB does one token add "
        "to a 16-bit cache?",
        answer,
        QUIZ_FINE,
        "KiB",
        f"{text_whole(group.layers)} layers × {text_whole(group.num_kv_heads)} KV heads × "
        f"({text_whole(group.key_width)} + {text_whole(group.value_width)}) × 2 bytes = "
        f"{text_number(answer, 2)} KiB. The width is the one the model declares, not its hidden size "
        "divided by its heads.",
        [
            [
                answer / 2,
                "That counts keys or values, or one byte for each number. A token leaves both, in two bytes.",
            ],
            [
                answer / group.layers,
                "That is one layer's share. Every layer keeps keys and values of its own.",
            ],
            [
                answer * model.shape.num_attention_heads / group.num_kv_heads,
                "That counts query heads. Only keys and values are kept, one pair for each KV head.",
            ],
            [answer * 2, "That is one factor of two too many: a 16-bit number takes two bytes, not four."],
        ],
    )


def quiz_user_cache(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What one user's conversation holds, from what a token adds."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    token = bytes_per_token(model.shape, keys, values)
    tokens = quiz_pick(dice, [2048, 4096, 8192, 16384, 32768])
    answer = token * tokens / QUIZ_GIB
    return quiz_number(
        f"A token adds {text_bytes(token)} to the cache of {model.name}. How many GiB does one conversation "
        f"of {text_whole(tokens)} tokens hold?",
        answer,
        QUIZ_FINE,
        "GiB",
        f"{text_whole(tokens)} × {text_bytes(token)} = {text_number(answer, 3)} GiB, for as long as the "
        "conversation lasts. The next user needs as much again.",
        [
            [answer * QUIZ_GIB / 1000000000, "That is GB, of 10⁹ bytes. A GiB has 7.4% more bytes."],
            [answer * 1.024, "A KiB is 1,024 bytes and a GiB 1,024 × 1,024 KiB: divide by 1,024 both times."],
            [
                answer * 2,
                "What a token adds already counts keys and values, so there is no second factor of two.",
            ],
        ],
    )


def quiz_users_fit(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many users fit beside the weights."""
    sizes = deploy(state, catalog)
    users = sizes["max_users"]
    if users < 1:
        return None
    usable = sizes["room"] + sizes["weights"]
    return quiz_number(
        f"{catalog.models[state.model].name} runs on {deployed_cards(state, catalog)}: {text_gib(usable)} "
        f"are usable, the weights take {text_gib(sizes['weights'])}, and one user of "
        f"{text_whole(state.context)} tokens holds {text_bytes(sizes['user'])} of cache. Ideally, how many "
        "users fit?",
        users,
        QUIZ_ROUGH,
        "users",
        f"The weights are loaded once and leave {text_gib(sizes['room'])}; divided by "
        f"{text_bytes(sizes['user'])} that is {text_whole(users)}. An engine sets activations aside first, "
        "so take it as a ceiling.",
        [
            [
                max_users(usable, sizes["user"]),
                "That leaves the weights out: they take their share before any cache does.",
            ],
            [
                max_users(sizes["room"], sizes["user"] + sizes["weights"]),
                "That gives every user weights of their own. All users share one copy.",
            ],
            [
                max_users(usable, sizes["user"] + sizes["weights"]),
                "That gives every user weights of their own. All users share one copy.",
            ],
        ],
    )


def quiz_context_doubled(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many users are left when every conversation gets twice as long."""
    model = catalog.models[state.model]
    sizes = deploy(state, catalog)
    if not quiz_plain(model.shape) or sizes["max_users"] < 4:
        return None
    twice = deploy_sequence(state, catalog, 2 * state.context)
    answer = max_users(sizes["free"], twice) * state.data_parallel
    return quiz_number(
        f"On {deployed_cards(state, catalog)} {text_whole(sizes['max_users'])} users of "
        f"{text_whole(state.context)} tokens fit beside {model.name}. How many fit if each conversation "
        f"grows to {text_whole(2 * state.context)} tokens?",
        answer,
        QUIZ_ROUGH,
        "users",
        f"Each user's cache doubles to {text_bytes(twice * state.gpus * state.pipeline)}, and the room of "
        f"{text_gib(sizes['room'])} stays: {text_whole(answer)}, half as many.",
        [
            [
                sizes["max_users"],
                "The cache grows with every token, and all conversations share the same room.",
            ],
            [
                sizes["max_users"] // 4,
                (
                    "Attention's arithmetic over a whole text grows with the square of its length, its "
                    "memory does not."
                ),
            ],
            [2 * sizes["max_users"], "Longer conversations take more room each, so fewer of them fit."],
        ],
    )


def quiz_crossover(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Cached tokens that weigh as much as the weights."""
    model = catalog.models[state.model]
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    weights = deploy(state, catalog)["weights"]
    tokens = crossover_tokens(model.shape, weights, keys, values)
    if not quiz_plain(model.shape) or tokens < 1000:
        return None
    token = bytes_per_token(model.shape, keys, values)
    return quiz_number(
        f"The weights of {model.name} take {text_gib(weights)}, and each token that is cached takes "
        f"{text_bytes(token)}. At how many tokens, over all users together, does the cache take as much?",
        tokens,
        QUIZ_ROUGH,
        "tokens",
        f"{text_gib(weights)} ÷ {text_bytes(token)} = about {text_whole(tokens)} tokens, whether few users "
        "have long conversations or many have short ones.",
        [
            [
                weights / QUIZ_GIB * 1024 * 1024,
                "That is the weights in KiB; each token takes more or less than one KiB.",
            ],
            [
                tokens / 1024,
                "A factor of 1,024 is missing: a GiB is 1,024 MiB, and each of those 1,024 KiB.",
            ],
        ],
    )


def quiz_step_users(state: State, sizes: Sizes) -> int:
    """Users of a step in a question: the deployment's as far as they fit."""
    return min(state.users, sizes["max_users"])


def quiz_step_read(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What one decode step of a batch reads."""
    model = catalog.models[state.model]
    sizes = deploy(state, catalog)
    users = quiz_step_users(state, sizes)
    if users < 2 or not quiz_dense(model.shape):
        return None
    caches = users * sizes["user"]
    answer = (sizes["weights"] + caches) / QUIZ_GIB
    return quiz_number(
        f"{text_whole(users)} users are decoded together. The weights of {model.name} take "
        f"{text_gib(sizes['weights'])} and each user's cache {text_bytes(sizes['user'])}. About how many "
        "GiB does one decode step read from memory?",
        answer,
        QUIZ_ROUGH,
        "GiB",
        f"The weights once for the whole batch, and every user's own cache: {text_gib(sizes['weights'])} + "
        f"{text_whole(users)} × {text_bytes(sizes['user'])} = {text_amount(answer)} GiB. That is why "
        "batching pays, and why long contexts eat up the gain.",
        [
            [
                users * (sizes["weights"] + sizes["user"]) / QUIZ_GIB,
                "That reads the weights for every user. One read serves the whole batch.",
            ],
            [
                (sizes["weights"] + sizes["user"]) / QUIZ_GIB,
                "That reads one cache. Every user's query needs the keys and values of that user's own text.",
            ],
            [caches / QUIZ_GIB, "That leaves out the weights, through which every token has to pass."],
            [sizes["weights"] / QUIZ_GIB, "That leaves out the caches, each of which the step reads whole."],
        ],
    )


def quiz_step_time(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """The time that reading takes: the memory roof."""
    card = deploy_card(state, catalog)
    bandwidth = card["bandwidth"] * state.gpus * state.pipeline * state.data_parallel
    read = 10 * quiz_between(dice, 2, 7)
    answer = step_seconds(read * QUIZ_GIB, bandwidth) * 1000
    return quiz_number(
        f"A decode step on {deployed_cards(state, catalog)} reads {text_whole(read)} GiB of weights and "
        f"cache, and memory delivers {text_number(bandwidth / 1000000000000, 2)} TB per second in all. How "
        "many milliseconds does the reading alone take?",
        answer,
        QUIZ_ROUGH,
        "ms",
        f"{text_whole(read)} GiB are {text_fixed(read * QUIZ_GIB / 1000000000, 1)} GB; divided by "
        f"{text_number(bandwidth / 1000000000000, 2)} TB per second that is {text_amount(answer)} ms. "
        "Decode is memory-bound: however fast a card computes, a step does not come before its data.",
        [
            [
                answer / 8,
                "Bandwidth is given in bytes, not bits, so there is no factor of eight.",
            ],
            [answer * 8, "Bandwidth is given in bytes, not bits, so there is no factor of eight."],
            [answer / 1000, "That is in seconds; a millisecond is a thousandth of one."],
        ],
    )


def quiz_gib_of_gb(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """GB into GiB."""
    model = catalog.models[state.model]
    tenths = deploy(state, catalog)["weights"] * 10 // 1000000000 + quiz_between(dice, 1, 9)
    answer = tenths * 100000000 / QUIZ_GIB
    return quiz_number(
        f"The files of {model.name} are listed with {text_fixed(tenths / 10, 1)} GB in all, GB meaning 10⁹ "
        "bytes. How many GiB is that?",
        answer,
        QUIZ_FINE,
        "GiB",
        f"{text_fixed(tenths / 10, 1)} × 10⁹ ÷ 2³⁰ = {text_amount(answer)} GiB. The two differ by 7.4%, "
        "enough to promise a user for whom there is no room.",
        [
            [tenths / 10, "That is the same number; a GiB is 2³⁰ bytes, 7.4% more than a GB."],
            [
                tenths / 10 * 1.073741824,
                "The other way round: a GiB is the larger one, so there are fewer of them.",
            ],
            [
                tenths / 10 / 1.024,
                "That is a KiB against a KB; for a GiB the factor 1.024 stands three times.",
            ],
        ],
    )


def quiz_scales(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How much smaller a type in blocks is than 16 bits once its scales are counted."""
    kind = catalog.caches[quiz_pick(dice, ["q8_0", "q5_0", "q4_0", "nvfp4"])]
    answer = 2 * kind.block_values / kind.block_bytes
    bits = kind.block_bytes * 8 // kind.block_values
    name = kind.name.split(" (")[0]
    return quiz_number(
        f"The type {name} stores a block of {text_whole(kind.block_values)} numbers in "
        f"{text_whole(kind.block_bytes)} bytes, its scale included. How many times smaller is a cache in it "
        "than at 16 bits?",
        answer,
        QUIZ_FINE,
        "times",
        f"{text_whole(kind.block_values)} numbers of 16 bits take {text_whole(2 * kind.block_values)} "
        f"bytes, and {text_whole(2 * kind.block_values)} ÷ {text_whole(kind.block_bytes)} = "
        f"{text_number(answer, 2)}. The scales that make so few bits usable take room themselves.",
        [
            [
                16 / bits,
                "That counts the bare bits. A block's scale is stored beside them and takes its share.",
            ],
            [
                kind.block_bytes / kind.block_values,
                "That is bytes per number. The question is how many times smaller that is than two bytes.",
            ],
            [
                kind.block_values / kind.block_bytes,
                "That compares with one byte per number; at 16 bits a number takes two.",
            ],
        ],
    )


def quiz_heads_per_gpu(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """KV heads each GPU of a tensor-parallel group stores."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    kept = model.shape.groups[0].num_kv_heads
    gpus = quiz_pick(dice, [2, 4, 8, 16])
    if kept % gpus != 0 and gpus % kept != 0:
        return None
    answer = heads_per_gpu(kept, gpus)
    shared = f"The heads are shared out, {text_whole(kept)} ÷ {text_whole(gpus)} = {text_whole(answer)}."
    if kept <= gpus:
        stored = "the one that falls to it."
        if kept < gpus:
            stored = f"one, and every head is stored {text_whole(gpus // kept)} times over."
        shared = f"A head is not cut up, so each GPU stores {stored}"
    return quiz_number(
        f"{model.name} has {text_count(kept, 'KV head')} in each layer and is split over {text_whole(gpus)} "
        "GPUs by tensor parallelism. How many KV heads of a layer does each GPU store?",
        answer,
        QUIZ_EXACT,
        "heads",
        f"{shared} Keys and values follow their heads; all of them serve the same users.",
        [
            [
                kept / gpus,
                "A head is not cut up: with more GPUs than KV heads, heads are stored several times over.",
            ],
            [kept, "Heads are split over the GPUs like the weights; each stores only those it works on."],
            [
                model.shape.num_attention_heads / gpus,
                "That counts query heads. What is stored are the KV heads they read.",
            ],
        ],
    )


def quiz_blocks(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Blocks a request takes in a paged cache."""
    tokens = QUIZ_BLOCK * quiz_between(dice, 30, 120) + quiz_between(dice, 1, QUIZ_BLOCK - 1)
    answer = ceil_div(tokens, QUIZ_BLOCK)
    left = answer * QUIZ_BLOCK - tokens
    return quiz_number(
        f"A paged cache hands out blocks of {text_whole(QUIZ_BLOCK)} tokens. How many does a request of "
        f"{catalog.models[state.model].name} hold that has reached {text_whole(tokens)} tokens?",
        answer,
        QUIZ_EXACT,
        "blocks",
        f"{text_whole(tokens)} ÷ {text_whole(QUIZ_BLOCK)}, rounded up: the last block is handed out whole "
        f"although {text_whole(left)} of its places {'is' if left == 1 else 'are'} still free. That is all "
        "that paging wastes.",
        [
            [answer - 1, "The tokens of the last, part-filled block need a place too: round up."],
            [tokens, "That would be one block for each token."],
        ],
    )


def quiz_windowed_model(state: State, catalog: Catalog) -> str:
    """The deployment's model if some of its layers keep a window and others all; "" if not."""
    shape = catalog.models[state.model].shape
    windows = [group for group in shape.groups if group.window is not None and group.window < QUIZ_SHORTER]
    if len(shape.groups) != 2 or len(windows) != 1 or shape.state_bytes > 0:
        return ""
    for group in shape.groups:
        if group.kind != "attention" or group.stride > 1 or group.fixed_tokens is not None:
            return ""
    return state.model


def quiz_window(shape: Shape) -> int:
    """The tokens that the first layers of ``shape`` with a window keep; 0 without such layers."""
    for group in shape.groups:
        if group.window is not None:
            return group.window
    return 0


def quiz_window_growth(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """By how much a model with windows grows once its windows are full."""
    name = quiz_windowed_model(state, catalog)
    if name == "":
        name = quiz_pick(dice, ["gemma-3-27b", "gpt-oss-20b"])
    model = catalog.models[name]
    cache = catalog.caches["bf16"]
    growth = growth_bytes_per_token(model.shape, cache, cache)
    every = bytes_per_token(model.shape, cache, cache)
    answer = growth * (QUIZ_LONGER - QUIZ_SHORTER) / QUIZ_GIB
    return quiz_number(
        f"In {model.name} a token adds {text_bytes(every)} of 16-bit cache as long as every layer keeps it, "
        f"of which {text_bytes(growth)} in layers without a window. The windows hold "
        f"{text_whole(quiz_window(model.shape))} tokens. By how many GiB does a conversation's cache grow "
        f"from {text_whole(QUIZ_SHORTER)} to {text_whole(QUIZ_LONGER)} tokens?",
        answer,
        QUIZ_ROUGH,
        "GiB",
        f"The windows have long been full and drop a token for each new one, so only {text_bytes(growth)} "
        f"per token are added: {text_whole(QUIZ_LONGER - QUIZ_SHORTER)} × {text_bytes(growth)} = "
        f"{text_number(answer, 2)} GiB.",
        [
            [
                every * (QUIZ_LONGER - QUIZ_SHORTER) / QUIZ_GIB,
                "That lets the windowed layers grow as well; they drop a token for each one they take.",
            ],
            [
                (every - growth) * (QUIZ_LONGER - QUIZ_SHORTER) / QUIZ_GIB,
                "That is the windowed layers' share, the very one that has stopped growing.",
            ],
            [0, "The windowed layers have stopped growing. The others keep every token."],
            [
                growth * QUIZ_LONGER / QUIZ_GIB,
                "That is all the other layers hold at the end, not what was added.",
            ],
        ],
    )


def quiz_latents(shape: Shape) -> list[LayerGroup]:
    """The layers of ``shape`` that keep a latent and say what heads unfold from it."""
    return [group for group in shape.groups if group.kind == "latent" and group.full_key_width > 0]


def quiz_latent_model(state: State, catalog: Catalog) -> str:
    """The deployment's model if it keeps latents whose full heads are known, else one that does."""
    return state.model if len(quiz_latents(catalog.models[state.model].shape)) > 0 else "deepseek-v3"


def quiz_latent_values(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """How many times fewer numbers a latent keeps than the heads it stands for."""
    model = catalog.models[quiz_latent_model(state, catalog)]
    latent = quiz_latents(model.shape)[0]
    heads = model.shape.num_attention_heads
    kept = latent.key_width + latent.value_width
    full = heads * (latent.full_key_width + latent.full_value_width)
    return quiz_number(
        f"For a token, each of the {text_whole(heads)} heads in a layer of {model.name} works with a key of "
        f"{text_whole(latent.full_key_width)} numbers and a value of {text_whole(latent.full_value_width)}, "
        f"and the layer caches one latent of {text_whole(kept)} that all of them are unfolded from. How "
        "many times fewer numbers is that?",
        full / kept,
        QUIZ_ROUGH,
        "times",
        f"{text_whole(heads)} × ({text_whole(latent.full_key_width)} + "
        f"{text_whole(latent.full_value_width)}) ÷ {text_whole(kept)} = {text_amount(full / kept)}. The "
        "latent serves as key and as value, so it is stored once, not twice.",
        [
            [full / (2 * kept), "One latent serves as key and as value: it is not stored twice."],
            [heads, "The heads are as many, but a latent is wider than one head's key or value."],
            [full / heads / kept, "That compares with a single head; the latent stands for all of them."],
        ],
    )


def quiz_cache_share(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """The cache's share of what a full card holds."""
    sizes = deploy(state, catalog)
    users = quiz_step_users(state, sizes)
    if users < 1:
        return None
    caches = users * sizes["user"]
    answer = 100 * caches / (caches + sizes["weights"])
    if answer < 4 or answer > 96:
        return None
    return quiz_number(
        f"{catalog.models[state.model].name} holds {text_gib(sizes['weights'])} of weights and serves "
        f"{text_count(users, 'user')} with {text_bytes(sizes['user'])} of cache each. What percentage of "
        "the two together is cache?",
        answer,
        QUIZ_ROUGH,
        "%",
        f"{text_gib(caches)} of {text_gib(caches + sizes['weights'])}: {text_fixed(answer, 0)}%. Neither "
        "rules as such: the weights stay as they are, the cache grows with every token of every user.",
        [
            [
                100 * sizes["user"] / (sizes["user"] + sizes["weights"]),
                "That counts one user. Each of them has a cache of their own.",
            ],
            [100 * sizes["weights"] / (caches + sizes["weights"]), "That is the weights' share."],
            [
                100 * caches / sizes["weights"],
                "That is the cache as a percentage of the weights, not of the two together.",
            ],
        ],
    )
