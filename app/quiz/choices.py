"""Questions with four options: figures of the reader's deployment as misconceptions would have them, and ideas.

The first option is the right one until they are shuffled. Options of a question are of one form and about one length,
so that neither length nor wording gives the answer away (tests/unit/test_quiz.py plays that).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from acts.deployed import deployed_cards
from acts.deployment import deploy, deploy_card, deploy_sequence, deploy_values, deploy_weights
from acts.sizing import (
    attention_intensity,
    bytes_per_sequence_gpu,
    bytes_per_token,
    ceil_div,
    forwarded_tokens,
    growth_bytes_per_token,
    heads_per_gpu,
    max_users,
    weight_intensity,
    weights_bytes,
)
from acts.text import text_amount, text_bytes, text_count, text_gib, text_number, text_whole

from .dice import quiz_between, quiz_pick
from .numbers import (
    QUIZ_BLOCK,
    QUIZ_SHORTER,
    quiz_latent_model,
    quiz_latents,
    quiz_window,
    quiz_windowed_model,
)
from .parts import quiz_choice, quiz_dense, quiz_grouped_heads, quiz_plain

if TYPE_CHECKING:
    from acts.catalog import Catalog
    from acts.contracts import Asked, Dice, State


def quiz_why_kept(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Why keys and values are kept, and queries are not."""
    model = catalog.models[state.model]
    again = text_whole(state.context + 1)
    return quiz_choice(
        f"{model.name} has read {text_whole(state.context)} tokens and writes the next one. Why does it "
        "hold on to their keys and values, but not to their queries?",
        [
            [
                "Later tokens read the former again, and nothing changes them",
                (
                    "Each new query is scored against all keys so far, and nothing that comes later reaches "
                    f"back to alter them. Without them the model would run over all {again} tokens to write "
                    "a single one. A query serves its own position, once."
                ),
            ],
            [
                "Later tokens update the former, and nothing updates queries",
                (
                    "Nothing updates a key or a value: it depends on its token and on what came before, "
                    "never on what follows. That is why it can be kept at all."
                ),
            ],
            [
                "The former stand in for the weights, which are then read once",
                (
                    "Every step still reads the weights its token passes through, "
                    f"{text_gib(weights_bytes(model.shape.active_parameters, catalog.weights[state.weights].bits))} "
                    "or more here. What is saved is pushing the old tokens through them."
                ),
            ],
            [
                "The former take less room than queries, which are far larger",
                (
                    "Size is not the reason: a head's query is as wide as its key. But no later token ever "
                    "asks for it, so there is no point in keeping it."
                ),
            ],
        ],
        dice,
    )


def quiz_still_grows(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What still grows with the text although there is a cache."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    return quiz_choice(
        f"With its cache, what must {model.name} do more of at decode step {text_whole(state.context)} than "
        "at step 1?",
        [
            [
                "Score its query against more tokens",
                (
                    f"One query against {text_whole(state.context)} keys and more: attention stays linear "
                    "in the length of the text, so steps slow down. Only the recomputation is gone."
                ),
            ],
            [
                "Run more tokens through its layers",
                (
                    "That is what the cache spares: a step runs one token. Without it, this step would run "
                    f"{text_whole(state.context)} and the prompt."
                ),
            ],
            [
                "Fetch the weights of more layers",
                (
                    "A token passes through the same weights of the same layers at every step, however long "
                    "the text."
                ),
            ],
            [
                "Make the queries of more heads",
                "Each head makes one query for the newest token, at every step. Old ones were dropped.",
            ],
        ],
        dice,
    )


def quiz_bound(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Why prefill is compute-bound and decode memory-bound."""
    prompt = 256 * quiz_between(dice, 4, 16)
    times = text_whole(prompt)
    return quiz_choice(
        f"A prompt of {times} tokens is prefilled, then answered token by token, for one user. Why does "
        "prefill wait for arithmetic and decode for memory?",
        [
            [
                f"A weight is read once for {times} tokens in prefill, for one in decode",
                (
                    f"Matrix × matrix against matrix × vector: the same bytes serve {times} tokens in "
                    "prefill, which is compute-bound, and a single one in decode, which is memory-bound."
                ),
            ],
            [
                f"A weight is read {times} times in prefill, only once in decode",
                (
                    "The other way round would make prefill wait for memory. Its tokens go side by side, so "
                    "one read of a weight serves them all."
                ),
            ],
            [
                f"A token is scored against {times} keys in decode, against one in prefill",
                (
                    "In prefill each token is scored against all before it as well. What differs is how "
                    "many tokens share a read."
                ),
            ],
            [
                "A layer runs on all cores in prefill, on one core in decode",
                (
                    "Both run on the whole GPU. In decode most of it has nothing to do until the weights "
                    "have arrived."
                ),
            ],
        ],
        dice,
    )


def quiz_first_token(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What the time to first token is made of."""
    prompt = 1000 * quiz_between(dice, 2, 20)
    return quiz_choice(
        f"A prompt of {text_whole(prompt)} tokens begins with a system prompt that every request shares and "
        "whose blocks are still cached. What does that shorten?",
        [
            [
                "The time until the first token",
                (
                    "Prefill runs only what is new, so the first token (TTFT) comes sooner. Decode reads "
                    "the whole cache as before."
                ),
            ],
            [
                "The time of a decode step",
                (
                    f"Each step still reads all {text_whole(prompt)} cached keys and values, whoever "
                    "computed them. It is the prefill that gets shorter."
                ),
            ],
            [
                "The text that attention sees",
                (
                    "Attention sees every token, shared or not. Their keys and values just need not be "
                    "computed again."
                ),
            ],
            [
                "The answer that is generated",
                "The answer is the same: shared keys and values are those that would have been computed.",
            ],
        ],
        dice,
    )


def quiz_shared_heads(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What gets smaller when query heads share a KV head."""
    model = catalog.models[state.model]
    if not quiz_grouped_heads(model.shape):
        return None
    heads = model.shape.num_attention_heads
    kept = model.shape.groups[0].num_kv_heads
    times = heads // kept
    cache = catalog.caches["bf16"]
    token = bytes_per_token(model.shape, cache, cache)
    weights = deploy_weights(state, catalog, state.weights)
    return quiz_choice(
        f"In {model.name} {text_whole(times)} query heads share a KV head. What does that make "
        f"{text_whole(times)} times smaller?",
        [
            [
                f"Held: {text_bytes(token)} per token, not {text_bytes(token * times)}",
                (
                    f"One key and one value serve {text_whole(times)} query heads, so {text_whole(kept)} "
                    f"pairs are held in a layer instead of {text_whole(heads)}. Fewer bytes to store, and "
                    "fewer to read at each step."
                ),
            ],
            [
                f"Loaded: {text_gib(weights // times)} of weights, not {text_gib(weights)}",
                (
                    "Only the projections that make keys and values shrink, a small part of the "
                    f"{text_gib(weights)}. All other weights stay as they are."
                ),
            ],
            [
                (
                    f"Seen: {text_whole(max(1, state.context // times))} tokens, not "
                    f"{text_whole(state.context)}"
                ),
                (
                    "Sharing heads drops no token: each query head still sees all of them. Keeping fewer is "
                    "what a sliding window does."
                ),
            ],
            [
                f"Asked: {text_whole(kept)} queries per token, not {text_whole(heads)}",
                (
                    f"All {text_whole(heads)} query heads stay. {text_whole(times)} at a time read the same "
                    "key and value."
                ),
            ],
        ],
        dice,
    )


def quiz_token_size(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What a token adds, against what common slips give."""
    model = catalog.models[state.model]
    if not quiz_grouped_heads(model.shape):
        return None
    group = model.shape.groups[0]
    cache = catalog.caches["bf16"]
    token = bytes_per_token(model.shape, cache, cache)
    heads = model.shape.num_attention_heads
    full = token * heads // group.num_kv_heads
    return quiz_choice(
        f"{model.name}: {text_whole(group.layers)} layers, {text_whole(heads)} query heads, "
        f"{text_count(group.num_kv_heads, 'KV head')} of {text_whole(group.key_width)} numbers, 16 bits. "
        "How much cache does one token add?",
        [
            [
                text_bytes(token),
                (
                    f"Keys and values: {text_whole(group.layers)} × {text_whole(group.num_kv_heads)} × "
                    f"({text_whole(group.key_width)} + {text_whole(group.value_width)}) × 2 bytes, with the "
                    "width the model declares."
                ),
            ],
            [
                text_bytes(token // 2),
                "That is the keys without the values, or one byte per number instead of two.",
            ],
            [text_bytes(full), "That counts query heads. Only KV heads leave anything in the cache."],
            [text_bytes(full // 2), "That counts query heads, and then their keys without the values."],
            [
                text_bytes(token // group.layers),
                "That is one layer. Every layer keeps keys and values of its own.",
            ],
        ],
        dice,
    )


def quiz_next_user(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What one more user adds to the memory in use."""
    sizes = deploy(state, catalog)
    if sizes["max_users"] < 2:
        return None
    user = text_gib(sizes["user"])
    weights = text_gib(sizes["weights"])
    return quiz_choice(
        f"{catalog.models[state.model].name} serves users of {text_whole(state.context)} tokens on "
        f"{deployed_cards(state, catalog)}. What does one more user take in memory?",
        [
            [
                f"{user}: a cache, and the weights are shared",
                (
                    "All users share one copy of the weights; each has a cache. So memory, "
                    f"{text_gib(sizes['room'])} beside the weights, caps them at "
                    f"{text_whole(sizes['max_users'])}, ideally."
                ),
            ],
            [
                f"{text_gib(sizes['user'] + sizes['weights'])}: a cache, and weights of their own",
                f"The weights, {weights}, are loaded once for everybody and read once for the whole batch.",
            ],
            [
                f"{weights}: the weights, and the cache is shared",
                (
                    "The other way round: weights are the same for all users, keys and values are those of "
                    "one user's text."
                ),
            ],
            [
                "0 GiB: the cache is shared, and so are the weights",
                (
                    "A cache is shared only where texts begin alike, token for token. The rest is each "
                    "user's own."
                ),
            ],
        ],
        dice,
    )


def quiz_at_the_wall(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What caps the number of users held at once."""
    sizes = deploy(state, catalog)
    card = deploy_card(state, catalog)
    if sizes["max_users"] < 2:
        return None
    tera = state.gpus * state.pipeline * state.data_parallel / 1000000000000
    return quiz_choice(
        f"What decides that {deployed_cards(state, catalog)} can hold {text_whole(sizes['max_users'])} "
        f"users of {text_whole(state.context)} tokens of {catalog.models[state.model].name} at once, and no "
        "more?",
        [
            [
                f"Memory: {text_gib(sizes['room'])} left to divide among them",
                (
                    f"{text_gib(sizes['room'])} divided by {text_bytes(sizes['user'])} per user. One more "
                    "would have to queue, or push another's blocks out to be computed again later."
                ),
            ],
            [
                f"Arithmetic: {text_number(card['peak_flops'] * tera, 0)} TFLOP/s to divide among them",
                "Arithmetic bounds how fast users are served, not how many are held.",
            ],
            [
                f"Bandwidth: {text_number(card['bandwidth'] * tera, 2)} TB/s to divide among them",
                (
                    "Bandwidth bounds how fast steps come. More users make each step longer, until there is "
                    "no room for the next."
                ),
            ],
            [
                f"Context: {text_whole(state.context)} tokens to divide among them",
                "A context length holds for each conversation by itself. What users share is memory.",
            ],
        ],
        dice,
    )


def quiz_batch(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What a larger batch does to the arithmetic per byte."""
    model = catalog.models[state.model]
    if not quiz_dense(model.shape) or not quiz_plain(model.shape):
        return None
    batch = quiz_pick(dice, [8, 16, 32])
    cache = catalog.caches["bf16"]
    many = text_amount(weight_intensity(batch, 16))
    one = text_amount(weight_intensity(1, 16))
    attention = attention_intensity(model.shape, cache, cache)
    alone = text_number(attention, 1)
    grown = text_number(attention * batch, 1)
    return quiz_choice(
        f"A batch of {model.name} goes from 1 to {text_whole(batch)} users, weights and cache in 16 bits. "
        "How many FLOP does a decode step then do per byte it reads?",
        [
            [
                f"{many} on the weights, {alone} on the cache",
                (
                    "All users share a read of the weights, so their arithmetic per byte grows with the "
                    "batch. Each reads a cache of its own, so attention gains nothing and stays "
                    "memory-bound."
                ),
            ],
            [
                f"{one} on the weights, {grown} on the cache",
                "The other way round: the weights are shared by the batch, the caches are not.",
            ],
            [
                f"{many} on the weights, {grown} on the cache",
                "Only what is shared gains. Every user's query reads that user's own keys and values.",
            ],
            [
                f"{one} on the weights, {alone} on the cache",
                f"That is a batch of one. One read of a weight now serves {text_whole(batch)} users.",
            ],
        ],
        dice,
    )


def quiz_narrower(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What an FP8 cache changes, and what it leaves."""
    model = catalog.models[state.model]
    if model.shape.state_bytes > 0:
        return None
    wide = quiz_user_bytes(state, catalog, "bf16")
    narrow = quiz_user_bytes(state, catalog, "fp8")
    weights = deploy_weights(state, catalog, state.weights)
    return quiz_choice(
        f"The cache of {model.name} goes from 16 bits to FP8. At {text_whole(state.context)} tokens, what "
        "does one user hold, and what do the weights take?",
        [
            [
                f"cache {text_gib(narrow)}, weights {text_gib(weights)}",
                (
                    "One byte per number instead of two. The type of the weights is a setting of its own. "
                    "Most published tests find little loss, not all: check it on your own task."
                ),
            ],
            [
                f"cache {text_gib(narrow)}, weights {text_gib(weights // 2)}",
                "The weights keep their type; the two are set apart.",
            ],
            [
                f"cache {text_gib(wide // 4)}, weights {text_gib(weights)}",
                "Keys halve and values halve, so both together halve; that does not multiply.",
            ],
            [
                f"cache {text_gib(wide)}, weights {text_gib(weights // 2)}",
                "The other way round: it is the cache that is stored in fewer bits.",
            ],
        ],
        dice,
    )


def quiz_user_bytes(state: State, catalog: Catalog, cache: str) -> int:
    """Cache of one user on all cards, with ``cache`` in place of the deployment's type."""
    kind = catalog.caches[cache]
    shape = catalog.models[state.model].shape
    stages = state.pipeline
    ranks = state.context_parallel
    each = bytes_per_sequence_gpu(shape, state.context, kind, kind, state.gpus, 1, stages, ranks)
    return each * state.gpus * stages


def quiz_light_weights(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What quantised weights do to the cache."""
    model = catalog.models[state.model]
    if model.shape.state_bytes > 0:
        return None
    user = quiz_user_bytes(state, catalog, "bf16")
    wide = weights_bytes(model.shape.parameters, 16)
    return quiz_choice(
        f"The weights of {model.name} go from 16 bits to 4; nothing is said about the cache, and the "
        "checkpoint declares no type for it. What do the weights take, and what does a user of "
        f"{text_whole(state.context)} tokens hold?",
        [
            [
                f"weights {text_gib(wide // 4)}, cache {text_gib(user)}",
                (
                    "Fewer bits per weight, and keys and values still in the 16 bits they are computed in. "
                    "There is more room, so more users fit, but each costs what it did."
                ),
            ],
            [
                f"weights {text_gib(wide // 4)}, cache {text_gib(user // 4)}",
                (
                    "Keys and values are computed in 16 bits whatever the weights are stored in, and cached "
                    "that way."
                ),
            ],
            [
                f"weights {text_gib(wide)}, cache {text_gib(user // 4)}",
                "The other way round: it is the weights that were quantised.",
            ],
            [
                f"weights {text_gib(wide // 4)}, cache {text_gib(user // 2)}",
                "Nothing halves the cache here: its type is a setting of its own.",
            ],
        ],
        dice,
    )


def quiz_spare_bits(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """Where spare bits do most good."""
    return quiz_choice(
        "There is room for 12 bits for each number of a key and its counterpart in the value of "
        f"{catalog.models[state.model].name}. By what has been published, how are they best spent?",
        [
            [
                "8 bits on the keys, 4 on the values",
                (
                    "Some channels of keys hold outliers that coarse steps lose, and the softmax makes much "
                    "of small errors in scores (KIVI, KVQuant). Errors in values average out. It still has "
                    "to be tested on your own task."
                ),
            ],
            [
                "4 bits on the keys, 8 on the values",
                (
                    "Keys are the more sensitive of the two: an error there changes which tokens are "
                    "attended to."
                ),
            ],
            [
                "6 bits on the keys, 6 on the values",
                "Equal shares spend bits on values that keys would make more of.",
            ],
            [
                "2 bits on the keys, 10 on the values",
                "At two bits keys break first unless they are scaled per channel, whatever the values get.",
            ],
        ],
        dice,
    )


def quiz_reserved(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What a request holds in a paged cache of blocks."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    cache = catalog.caches["bf16"]
    token = bytes_per_token(model.shape, cache, cache)
    tokens = QUIZ_BLOCK * quiz_between(dice, 40, 90) + quiz_between(dice, 1, QUIZ_BLOCK - 1)
    longest = 8192
    blocks = ceil_div(tokens, QUIZ_BLOCK) * QUIZ_BLOCK
    return quiz_choice(
        f"A paged engine allows {text_whole(longest)} tokens and hands out blocks of "
        f"{text_whole(QUIZ_BLOCK)}. What does a request of {model.name} hold at 16 bits that has reached "
        f"{text_whole(tokens)} tokens?",
        [
            [
                quiz_for_tokens(token, blocks),
                (
                    f"Whole blocks as they are needed, {text_whole(blocks // QUIZ_BLOCK)} so far; the last "
                    "one is part-filled. Nothing is held for tokens that may never come."
                ),
            ],
            [
                quiz_for_tokens(token, longest),
                (
                    "That is what reserving the longest length would take, and what paging was invented to "
                    "avoid."
                ),
            ],
            [
                quiz_for_tokens(token, tokens),
                "Nearly: but blocks are handed out whole, so the last one counts in full.",
            ],
            [
                quiz_for_tokens(token, longest // 2),
                (
                    "No engine reserves a half: either the longest length in advance, or blocks as they are "
                    "needed."
                ),
            ],
        ],
        dice,
    )


def quiz_for_tokens(token: int, tokens: int) -> str:
    """A size with the tokens it is for: "126 MiB, for 1,008 tokens"."""
    return f"{text_number(token * tokens / 1048576, 2)} MiB, for {text_whole(tokens)} tokens"


def quiz_replicas(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What more GPUs than KV heads do to the cache of all of them."""
    model = catalog.models[state.model]
    if not quiz_plain(model.shape):
        return None
    kept = model.shape.groups[0].num_kv_heads
    gpus = 2 * kept
    if kept < 2 or gpus > 16:
        return None
    keys = catalog.caches[state.cache]
    values = catalog.caches[deploy_values(state)]
    one = bytes_per_sequence_gpu(model.shape, state.context, keys, values, 1)
    each = bytes_per_sequence_gpu(model.shape, state.context, keys, values, gpus)
    stored = heads_per_gpu(kept, gpus)
    return quiz_choice(
        f"{model.name} has {text_whole(kept)} KV heads per layer; a user of {text_whole(state.context)} "
        f"tokens holds {text_bytes(one)} on one GPU. Split over {text_whole(gpus)} by tensor parallelism, "
        "what does that user hold?",
        [
            [
                f"{text_bytes(each)} on each, {text_bytes(each * gpus)} in all",
                (
                    f"Each GPU stores at least {text_count(stored, 'head')}, so every head is there twice. "
                    "Decode context parallelism can split a sequence by its tokens instead."
                ),
            ],
            [
                f"{text_bytes(one // gpus)} on each, {text_bytes(one)} in all",
                (
                    "That would take half a head on each GPU. A head is not cut up, so some are stored "
                    "several times over."
                ),
            ],
            [
                f"{text_bytes(one)} on each, {text_bytes(one * gpus)} in all",
                (
                    "Heads are split over the GPUs as far as they go; no GPU of a plain model stores all of "
                    "them."
                ),
            ],
            [
                f"{text_bytes(each)} on each, {text_bytes(one)} in all",
                (
                    "So it would be if half of the GPUs stored nothing. All of them work on every token and "
                    "need a head to read."
                ),
            ],
        ],
        dice,
    )


def quiz_window_slope(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What a token adds once the windows are full."""
    name = quiz_windowed_model(state, catalog)
    if name == "":
        name = "gemma-3-27b"
    model = catalog.models[name]
    cache = catalog.caches["bf16"]
    every = bytes_per_token(model.shape, cache, cache)
    growth = growth_bytes_per_token(model.shape, cache, cache)
    windowed = [group for group in model.shape.groups if group.window is not None]
    return quiz_choice(
        f"{text_whole(windowed[0].layers)} of the layers of {model.name} keep only the last "
        f"{text_whole(quiz_window(model.shape))} tokens; the first tokens add {text_bytes(every)} each over "
        "all layers, at 16 bits. What does one more token add to a conversation of "
        f"{text_whole(QUIZ_SHORTER)}?",
        [
            [
                text_bytes(growth),
                (
                    "Only the layers without a window still grow. The others drop a token for each one they "
                    "take, so the size is a + b × tokens, and one figure per token misleads."
                ),
            ],
            [
                text_bytes(every),
                f"That holds until the windows are full, long before {text_whole(QUIZ_SHORTER)} tokens.",
            ],
            [
                text_bytes(every - growth),
                "That is the part in windowed layers, the very one that has stopped growing.",
            ],
            ["0 KiB", "Not every layer has a window: those without keep each token to the end."],
        ],
        dice,
    )


def quiz_latent_holds(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What a layer with a latent keeps for a token."""
    model = catalog.models[quiz_latent_model(state, catalog)]
    latent = quiz_latents(model.shape)[0]
    heads = model.shape.num_attention_heads
    kept = latent.key_width + latent.value_width
    full = latent.full_key_width + latent.full_value_width
    return quiz_choice(
        f"{model.name} has {text_whole(heads)} heads with keys of {text_whole(latent.full_key_width)} and "
        f"values of {text_whole(latent.full_value_width)} numbers, and multi-head latent attention (MLA). "
        "How many numbers does a layer cache for one token?",
        [
            [
                f"{text_whole(kept)}: one latent, for all the heads",
                (
                    f"Every head unfolds its key and its value from the one latent of {text_whole(kept)} "
                    "numbers, and nothing else is stored."
                ),
            ],
            [
                f"{text_whole(2 * kept)}: a latent for keys, and one for values",
                "The same latent serves as key and as value, so it is not stored twice.",
            ],
            [
                f"{text_whole(full)}: one key, one value",
                (
                    "That would be multi-query attention. A latent is wider than one head's key, and what "
                    "heads unfold differs."
                ),
            ],
            [
                f"{text_whole(heads * full)}: a key and a value per head",
                (
                    "That is what the heads work with once unfolded. It is never stored: that is the point "
                    "of a latent."
                ),
            ],
        ],
        dice,
    )


def quiz_longer_context(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What twice the context does to memory and users."""
    model = catalog.models[state.model]
    sizes = deploy(state, catalog)
    if not quiz_plain(model.shape) or sizes["max_users"] < 8:
        return None
    four = deploy_sequence(state, catalog, 4 * state.context)
    users = max_users(sizes["free"], four) * state.data_parallel
    return quiz_choice(
        f"{text_whole(sizes['max_users'])} users of {text_whole(state.context)} tokens fit beside "
        f"{model.name} on {deployed_cards(state, catalog)}. All conversations grow to four times that "
        "length. What does each hold, and how many fit?",
        [
            [
                f"{text_gib(four * state.gpus * state.pipeline)} each, {text_whole(users)} users",
                (
                    "Four times the tokens, four times the cache each, a quarter of the users: the product "
                    "is what fits."
                ),
            ],
            [
                f"{text_gib(four * state.gpus * state.pipeline * 4)} each, {text_whole(users // 4)} users",
                "Attention's arithmetic over a whole text is quadratic in its length; its cache is linear.",
            ],
            [
                (
                    f"{text_gib(four * state.gpus * state.pipeline)} each, {text_whole(sizes['max_users'])} "
                    "users"
                ),
                "All conversations draw on the same room, so larger ones are fewer.",
            ],
            [
                f"{text_gib(sizes['user'])} each, {text_whole(sizes['max_users'])} users",
                "Every token leaves its keys and values; nothing of this model's stops growing.",
            ],
        ],
        dice,
    )


def quiz_work_spared(state: State, catalog: Catalog, dice: Dice) -> Asked | None:
    """What the ratio of passes says, and what it does not."""
    prompt = 256 * quiz_between(dice, 2, 8)
    answer = 64 * quiz_between(dice, 2, 6)
    without = forwarded_tokens(prompt, answer, False)
    cached = forwarded_tokens(prompt, answer, True)
    times = text_amount(without / cached)
    return quiz_choice(
        f"For a prompt of {text_whole(prompt)} tokens and an answer of {text_whole(answer)}, "
        f"{catalog.models[state.model].name} makes {text_whole(cached)} passes of a token with a cache and "
        f"{text_whole(without)} without. What is {times} times smaller?",
        [
            [
                "The number of passes, but not the time",
                (
                    "Passes, and nothing else. Passes side by side keep a GPU busier than one at a time, so "
                    "the clock gains less; and attention reads every cached key either way."
                ),
            ],
            [
                "The time of the request, to the second",
                (
                    "A pass over many tokens at once takes far less than as many single ones, so the clock "
                    "gains less."
                ),
            ],
            [
                "The number of keys each query reads",
                (
                    "Each query reads all keys so far with a cache or without. What is spared is computing "
                    "them again."
                ),
            ],
            [
                "The memory that the request occupies",
                "The cache takes memory; it does not save any. Arithmetic was exchanged for it.",
            ],
        ],
        dice,
    )
