"""A link is a state: what is written into the address comes back from it exactly, and nothing else does."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from acts import ACTS, Scenario
from acts.bundle import runtime_script
from acts.catalog import CACHE_NAMES
from acts.scenario import Amount
from acts.scripts import join_module
from app.page import make_acts
from tests.browser.test_twin import values
from tests.conftest import Server

pytestmark = pytest.mark.browser

SECTIONS = [act.id for act in ACTS] + ["quiz"]
SETTINGS = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None,
                    phases=[Phase.generate])  # fmt: skip
LINKED = {
    "act": "wall",
    "model": "llama-3-70b",
    "gpu": "h200-141gb",
    "context": "32768",
    "users": "16",
    "cache": "fp8",
}


def owners():
    return [(Scenario, [name for name in Scenario.param if name != "name"])] + [
        (act, act.own_parameters()) for act in ACTS
    ]


def typed(parameter):
    """Any value a reader can give: amounts have at most six decimals."""
    if isinstance(parameter, Amount):
        low, high = parameter.bounds
        return st.decimals(low, high, places=2).map(float)
    return values(parameter)


def whole_states():
    return st.fixed_dictionaries({n: typed(owner.param[n]) for owner, names in owners() for n in names})


def acts_in(state: dict) -> list:
    """The page's acts in a state; what Python refuses or corrects in combination is put right in ``state`` too."""
    acts = make_acts()
    for owner in (acts[0].scenario, *acts):
        known = {name: state[name] for name in owner.param if name in state}
        try:
            owner.param.update(**known)
        except ValueError:
            owner.param.update(**{name: owner.param[name].default for name in known})
    state.update(parameters_of(acts))
    return acts


def parameters_of(acts) -> dict:
    """What a link may hold of the acts' state: its parameters, and not what follows from them."""
    return {key: value for act in acts for key, value in act.state().items() if key != "live"}


def first_state() -> dict:
    return parameters_of(make_acts())


def text(value) -> str:
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f"{value:.12g}"
        if isinstance(value, float)
        else str(value)
    )


def query_of(state: dict) -> str:
    return urlencode({key: text(value) for key, value in state.items()})


def note(page):
    return page.locator("[data-link-note] [role=status]")


def exact(page, key: str):
    place = "#wall" if key in ("context", "users") else ".shared-deployment"
    return page.locator(f"{place} input[type=number][data-param={key}]")


def address(page) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(page.url).query))


def wait_for_address(page, **wanted) -> None:
    page.wait_for_function(
        "(wanted) => { const query = new URLSearchParams(location.search);"
        " return Object.entries(wanted).every(([key, value]) => query.get(key) === value); }",
        arg=wanted,
    )


@pytest.fixture(scope="module")
def links(browser):
    """A blank page that holds the functions which read and write links."""
    page = browser.new_page()
    page.add_script_tag(
        content=f"{runtime_script()}\n{join_module('link.js')}\n"
        "window.readLink = readLink; window.linkQuery = linkQuery; window.RULES = RULES;"
    )
    yield page
    page.close()


def read(links, search: str) -> dict:
    return links.evaluate("([search, ids]) => readLink(search, ids)", [search, SECTIONS])


# Functions alone: many states, every hostile value ------------------------------------------------


def test_any_state_comes_back_from_its_query(links):
    defaults = first_state()

    @settings(SETTINGS, max_examples=1000)
    @given(whole_states(), st.sampled_from([*SECTIONS, None]))
    def check(state, act):
        link = links.evaluate(
            "([state, defaults, act, ids]) => readLink(`?${linkQuery(state, defaults, act)}`, ids)",
            [state, defaults, act, SECTIONS],
        )
        assert link["faults"] == []
        assert link.get("act") == act
        assert defaults | link["state"] == state
        assert set(link["state"]) == {key for key in state if state[key] != defaults[key]}

    check()


def test_no_key_of_the_state_is_also_an_option(links):
    keys = set(links.evaluate("Object.keys(RULES)"))
    assert keys == set(first_state())
    assert not keys & {"act", "embed", "theme", "background", "lock", "origin"}


def test_other_names_of_a_type_are_taken(links):
    assert read(links, "?weights=fp16&cache=float16") == {
        "state": {"weights": "bf16", "cache": "bf16"}, "kept": [], "faults": [],
    }  # fmt: skip
    for name, id in CACHE_NAMES.items():
        assert read(links, f"?cache={name.upper()}")["state"] == {"cache": id}


HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)", "${users}",
    "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "true", "[1]", "{}", "8;9",
    "-1", "-0", "0", "NaN", "Infinity", "1e9", "1e2", "0x10", "99999999999999999999", "1,5", "8.5", "", " ",
    "{{users}}", "\u0661\u0662", "\u096e", "\uff11\uff16", "\u202e16", "16\u0000", "💥", "a" * 65, "9" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("key", ["model", "gpu", "gpus", "users", "context", "weights", "cache", "act"])
def test_hostile_values_are_refused_by_name(links, key):
    for value in HOSTILE:
        link = read(links, "?" + urlencode({key: value}))
        assert [name for name, _ in link["faults"]] == [key], value
        assert link["state"] == {}
        assert "act" not in link
        reason = link["faults"][0][1]
        assert len(reason) < 110
        assert not re.search(r"[\u0000-\u001f\u202a-\u202e]", reason)


def test_a_value_too_long_is_told_as_such(links):
    assert read(links, "?users=" + "9" * 65)["faults"] == [["users", "longer than 64 characters"]]


@pytest.mark.parametrize("value", ["-1", "64.5", "1e1", "NaN", "0.1234567", "x"])
def test_hostile_amounts(links, value):
    assert [name for name, _ in read(links, f"?reserve={value}")["faults"]] == ["reserve"]


def test_flags_take_true_and_false_only(links):
    flags = [
        n
        for owner, names in owners()
        for n in names
        if isinstance(first_state()[n], bool) and owner is not Scenario
    ]
    for flag in flags:
        assert read(links, f"?{flag}=true")["state"] == {flag: True}
        assert [name for name, _ in read(links, f"?{flag}=constructor")["faults"]] == [flag]


@pytest.mark.parametrize(
    ("search", "named"),
    [
        ("?users=8&users=9", ["users"]),
        ("?users=9&users=9", ["users"]),
        ("?act=wall&act=heads", ["act"]),
        ("?__proto__=1&constructor=2&prototype=3", ["__proto__", "constructor", "prototype"]),
        ("?__proto__[users]=5", ["__proto__[users]"]),
        ("?model=%E0%A4%A", ["model"]),
        ("?users=%", ["users"]),
        ("?users", ["users"]),
        ("?=5", ["a value without a name"]),
        ("?Users=5", ["Users"]),
        ("?embed=yes&theme=blue&background=red", ["embed", "theme", "background"]),
        ("?lock=model,nothing", ["lock"]),
        ("?origin=https://example.org/path", ["origin"]),
        ("?origin=javascript:alert(1)", ["origin"]),
        ("?" + "k" * 500 + "=1", ["k" * 20 + "…"]),
        (
            "?utm_source=a&utm_medium=b&fbclid=c&gclid=d&msclkid=e&ref=f&bokeh-session-id=g&__theme=dark&_=1",
            [],
        ),
    ],
)
def test_bad_keys_and_repeats(links, search, named):
    link = read(links, search)
    assert [name for name, _ in link["faults"]] == named
    assert link["state"] == {}
    assert links.evaluate("({}).users") is None


# The page ---------------------------------------------------------------------------------------


def test_a_link_opens_its_state(watched, page_url):
    page = watched.open(f"{page_url}?{urlencode(LINKED)}")
    for name, value in LINKED.items():
        if name in ("context", "users"):
            expect(exact(page, name)).to_have_value(value)
        elif name != "act":
            expect(page.locator(f".shared-deployment select[data-param={name}]")).to_have_value(value)
    expect(page.locator(".nav a[aria-current]")).to_have_attribute("href", "#wall")
    expect(page.locator("#wall-title")).to_be_in_viewport()
    expect(note(page)).to_be_hidden()
    assert address(page) == LINKED


def test_random_links_draw_what_python_draws(watched, page_url):
    page = watched.open(page_url)
    defaults = first_state()

    @settings(SETTINGS, max_examples=5)
    @given(whole_states())
    def check(state):
        acts = acts_in(state)
        page.goto(f"{page_url}?{query_of(state)}", wait_until="domcontentloaded")
        for act in acts:
            if page.locator(f"#{act.id} [data-sentence]").count():
                expect(page.locator(f"#{act.id} [data-sentence]").first).to_have_text(act.frame()["sentence"])
        expect(note(page)).to_be_hidden()
        differing = sorted(key for key in state if state[key] != defaults[key])
        exact(page, "users").fill("7")
        exact(page, "users").fill(str(state["users"]))
        page.wait_for_function(
            "(wanted) => { const query = new URLSearchParams(location.search); query.delete('act'); query.sort();"
            " return query.toString() === wanted; }",
            arg=urlencode([(key, text(state[key])) for key in differing]),
        )

    check()
    page.wait_for_selector("html[data-ready]", state="attached")


def test_the_address_follows_without_growing_the_history(watched, page_url):
    page = watched.open(f"{page_url}?utm_source=mail")
    before = page.evaluate("history.length")
    for users in range(20, 60):
        exact(page, "users").fill(str(users))
    wait_for_address(page, users="59", utm_source="mail")
    exact(page, "users").fill("8")
    page.wait_for_function("!location.search.includes('users')")
    assert page.evaluate("history.length") == before


def test_a_burst_of_changes_writes_the_address_rarely(watched, page_url):
    page = watched.open(page_url)
    page.evaluate(
        "() => { window.calls = 0; const replace = history.replaceState.bind(history);"
        " history.replaceState = (...all) => { window.calls += 1; replace(...all); };"
        " const input = document.querySelector('#wall input[type=number][data-param=users]');"
        " for (let users = 1; users <= 1000; users += 1) {"
        " input.value = users; input.dispatchEvent(new Event('input', { bubbles: true })); } }"
    )
    wait_for_address(page, users="1000")
    assert page.evaluate("calls") <= 2


def test_a_long_drag_stays_within_what_browsers_allow(watched, page_url):
    page = watched.open(page_url)
    page.evaluate(
        "() => { window.calls = 0; const replace = history.replaceState.bind(history);"
        " history.replaceState = (...all) => { window.calls += 1; replace(...all); }; }"
    )
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    users = exact(page, "users")
    seconds, steps = 6, 60
    for step in range(steps):
        users.fill(str(100 + step))
        page.clock.run_for(seconds * 1000 // steps)
    # 100 changes in 30 seconds: what WebKit and Chromium take.
    assert 1 < page.evaluate("calls") <= seconds * 100 / 30


def test_a_browser_that_refuses_leaves_the_page_working(watched, page_url):
    page = watched.open(page_url)
    page.evaluate(
        "() => { history.replaceState = history.pushState ="
        " () => { throw new DOMException('no', 'SecurityError'); }; }"
    )
    exact(page, "users").fill("58")
    expect(page.locator("#wall [data-readout=verdict]")).to_have_text("does not fit")
    page.locator(".nav a[href='#wall']").click()
    expect(page.locator(".nav a[aria-current]")).to_have_attribute("href", "#wall")


def test_back_and_forward_move_between_acts(watched, page_url):
    page = watched.open(page_url)
    start = page.evaluate("history.length")
    page.locator(".nav a[href='#wall']").click()
    wait_for_address(page, act="wall")
    expect(page.locator("#wall-title")).to_be_in_viewport()
    expect(page.locator("#wall-title")).to_be_focused()
    exact(page, "users").fill("16")
    wait_for_address(page, act="wall", users="16")
    page.locator(".nav a[href='#quiz']").click()
    wait_for_address(page, act="quiz", users="16")
    exact(page, "users").evaluate(
        "(input) => { input.value = 40; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    wait_for_address(page, act="quiz", users="40")
    assert page.evaluate("history.length") == start + 2

    page.go_back()
    wait_for_address(page, act="wall", users="16")
    expect(page.locator(".nav a[aria-current]")).to_have_attribute("href", "#wall")
    expect(exact(page, "users")).to_have_value("16")
    expect(page.locator("#wall-title")).to_be_in_viewport()
    page.go_forward()
    wait_for_address(page, act="quiz", users="40")
    expect(exact(page, "users")).to_have_value("40")
    expect(page.locator(".nav a[aria-current]")).to_have_attribute("href", "#quiz")
    page.go_back()
    page.go_back()
    page.wait_for_function("!location.search.includes('users')")
    expect(exact(page, "users")).to_have_value("8")
    assert page.evaluate("history.length") == start + 2


def test_scrolling_replaces_the_act(watched, page_url):
    page = watched.open(page_url)
    before = page.evaluate("history.length")
    for act in [*ACTS[::-1], *ACTS]:
        page.evaluate("(id) => document.getElementById(id).scrollIntoView({ behavior: 'instant' })", act.id)
        wait_for_address(page, act=act.id)
        expect(page.locator(".nav a[aria-current]")).to_have_attribute("href", f"#{act.id}")
    assert page.evaluate("history.length") == before


def test_a_reload_keeps_state_and_place(watched, page_url):
    page = watched.open(f"{page_url}?act=wall&users=16")
    page.mouse.move(5, 400)
    page.mouse.wheel(0, 300)
    page.wait_for_function("Math.abs(document.getElementById('wall').getBoundingClientRect().top) > 70")
    exact(page, "users").evaluate(
        "(input) => { input.value = 17; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    wait_for_address(page, users="17")
    page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    expect(exact(page, "users")).to_have_value("17")
    wait_for_address(page, act="wall", users="17")
    page.wait_for_function("document.getElementById('wall').getBoundingClientRect().top < 60")


def test_a_bad_link_is_told_once_and_can_be_dismissed(watched, page_url):
    hostile = {
        "model": "<img src=x onerror=alert(1)>", "users": "1e9", "gpu": "x" * 900, "context": "\u202e255",
        "act": "nowhere", "cache": "__proto__", "<b>bold</b>": "1", "": "5",
        "shape": "1.8.80.2.2.0.131072_32.8.1.1.s1296*Zero",
    }  # fmt: skip
    search = urlencode(hostile) + "&gpus=2&gpus=4&reserve=-1&weights=%E0%A4%A&__proto__=1&fbclid=abc"
    page = watched.open(f"{page_url}?{search}")
    expect(note(page)).to_be_visible()
    expect(page.locator("[role=status]:visible", has_text="Not all of this link")).to_have_count(1)
    said = note(page).inner_text()
    for key in (
        "model",
        "users",
        "gpu",
        "context",
        "act",
        "<b>bold</b>",
        "cache",
        "gpus",
        "reserve",
        "weights",
        "__proto__",
    ):
        assert f"{key} (" in said
    assert "a value without a name (unknown)" in said
    assert "shape (“1.8.80.2.2.0.131072_…”: stride cannot be 1296; give a whole number from 1 to 256)" in said
    assert "fbclid" not in said
    assert "x" * 21 not in said
    assert page.locator("[data-link-note] :is(img, b, script)").count() == 0
    assert page.locator("[onerror]").count() == 0
    assert page.evaluate("Object.keys(Object.prototype).length") == 0
    for key in ("users", "context", "gpus", "reserve"):
        expect(exact(page, key)).to_have_value(text(getattr(Scenario(), key)))
    page.get_by_role("button", name="Dismiss").click()
    expect(note(page)).to_be_hidden()


def test_a_theme_that_is_no_text_is_refused_like_any_other(watched, server):
    page = watched.open(f"{server.url}?act=wall&theme=%ED%A0%80&users=16")
    expect(note(page)).to_contain_text("theme")
    expect(exact(page, "users")).to_have_value("16")


def test_theme_in_a_link(watched, page_url):
    page = watched.open(f"{page_url}?theme=dark")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    exact(page, "users").fill("9")
    wait_for_address(page, theme="dark", users="9")


def test_links_work_without_a_fragment_left_over(watched, page_url):
    page = watched.open(f"{page_url}#wall")
    wait_for_address(page, act="wall")
    assert "#" not in page.url


# Copying ------------------------------------------------------------------------------------------


def test_copy_link(watched, page_url):
    page = watched.open(
        f"{page_url}?users=16&utm_source=x", permissions=["clipboard-read", "clipboard-write"]
    )
    page.get_by_role("button", name=re.compile("^Copy link to The concurrency wall")).click()
    place = "file" if page_url.startswith("file:") else "server"
    expect(page.locator("#wall [data-share] [role=status]")).to_contain_text(
        f"Link copied. It names a {place} on this computer and works nowhere else"
    )
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{page_url}?act=wall&users=16"
    again = watched.open(copied)
    expect(exact(again, "users")).to_have_value("16")


def test_copying_by_hand_where_there_is_no_clipboard(watched, page_url):
    page = watched.open(page_url)
    page.evaluate(
        "() => { navigator.clipboard.writeText = () => Promise.reject();"
        " document.execCommand = () => false; }"
    )
    page.get_by_role("button", name=re.compile("^Copy link to The concurrency wall")).click()
    area = page.get_by_label("Text to copy")
    expect(area).to_be_focused()
    expect(area).to_have_value(f"{page_url}?act=wall")
    assert page.evaluate("getSelection().toString()") == f"{page_url}?act=wall"
    page.get_by_role("button", name="Close").click()
    expect(area).to_be_hidden()


# Python follows -----------------------------------------------------------------------------------


def test_python_takes_over_a_link_s_state(watched):
    server = Server("tests/browser/linked_app.py", "linked_app")
    try:
        page = watched.open(f"{server.url}?model=llama-3-70b&users=16")
        # The app answers the link's model with two cards: it heard, and what it says is heard.
        expect(exact(page, "gpus")).to_have_value("2")
        expect(exact(page, "users")).to_have_value("16")
        wait_for_address(page, model="llama-3-70b", users="16", gpus="2")
    finally:
        server.stop()
