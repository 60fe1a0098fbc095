"""One act in somebody else's page: alone, as high as its content, and in conversation with its host only."""

from __future__ import annotations

import http.server
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from acts import ACTS, Wall
from tests.conftest import ROOT, deployment

pytestmark = pytest.mark.browser

SCRIPT = (ROOT / "static" / "kv-cache-embed.js").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
SECTIONS = [act.id for act in ACTS] + ["quiz"]
#: The widths the guide gives heights for.
WIDTHS = (360, 600, 720, 960, 1280)


class Site:
    """A web site of its own origin: a dictionary of paths and documents."""

    def __init__(self):
        site = self
        self.documents: dict[str, str] = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = site.documents.get(urlsplit(self.path).path, "").encode()
                self.send_response(200 if body else 404)
                kind = "text/javascript" if self.path.endswith(".js") else "text/html"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Keeps quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def host():
    """The site of the embedding page; the icon that browsers ask for is there."""
    site = Site()
    site.documents["/favicon.ico"] = " "
    site.documents["/kv-cache-embed.js"] = SCRIPT
    yield site
    site.close()


@pytest.fixture(scope="session")
def file_site(exported):
    """A site with the exported page, as it was written and as it is for another deployment."""
    page = Path(urlsplit(exported).path).read_text(encoding="utf-8")
    site = Site()
    site.documents["/page.html"] = page
    site.documents["/week7.html"] = re.sub(
        r'("state": ?\{[^{}]*?"model": ?)"llama-3-8b"', r'\1"llama-3.1-8b"', page
    )
    assert site.documents["/week7.html"] != page
    yield site
    site.close()


@pytest.fixture
def embedded_url(file_site) -> str:
    """The page to embed, by http."""
    return f"{file_site.origin}/page.html"


@pytest.fixture(params=["served", "exported"])
def either_url(request) -> str:
    """The page to embed in both its forms, by http."""
    return (
        request.getfixturevalue("server").url
        if request.param == "served"
        else request.getfixturevalue("embedded_url")
    )


HOST = """<!DOCTYPE html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
<style>body {{ margin: 0; background: {background}; }} iframe {{ width: 100%; border: 0; height: 200px; }}</style>
<script>
window.heard = [];
for (const type of ["kv-cache:state", "kv-cache:answer", "kv-cache:quiz", "kv-cache:prediction", "kv-cache:height"]) {{
  document.addEventListener(type, (event) => heard.push([type, event.detail]));
}}
addEventListener("message", (event) => {{ window.last = [event.data.type, event.origin]; }});
</script>
<h1>A host page</h1>
<iframe data-kv-cache {attributes} src="{src}" title="The KV cache"></iframe>
{script}
</html>"""


def open_host(
    watched, host, embedded_url, query, attributes='sandbox="allow-scripts"', background="#111", script=None
):
    """A host page with one frame; returns the page and the frame's locator, both ready."""
    script = '<script src="kv-cache-embed.js"></script>' if script is None else script
    src = f"{embedded_url}?embed=1&{query}".replace("&", "&amp;")
    host.documents["/"] = HOST.format(src=src, attributes=attributes, background=background, script=script)
    page = watched.open(f"{host.origin}/", wait=None, hosts=[urlsplit(embedded_url).netloc])
    frame = page.frame_locator("iframe[data-kv-cache]")
    frame.locator("html[data-ready]").wait_for(state="attached")
    return page, frame


def wait_for_event(page, kind: str, condition: str = "true"):
    """The newest event of a kind whose detail meets a condition (JavaScript over ``detail``)."""
    script = f"(kind) => heard.filter(([type, detail]) => type === kind && ({condition})).at(-1)?.[1]"
    return page.wait_for_function(script, arg=kind).json_value()


def wait_for_fit(page, frame) -> None:
    """Until the frame is exactly as high as its content."""
    expect(frame.locator("body")).to_be_attached()
    content = page.frames[1]
    page.wait_for_function("document.querySelector('iframe').offsetHeight !== 200")
    content.wait_for_function(
        "() => innerHeight === Math.ceil(document.body.getBoundingClientRect().height)"
        " && document.documentElement.scrollHeight === innerHeight"
    )


def post_to_frame(page, message: dict) -> None:
    page.evaluate(
        "(message) => document.querySelector('iframe').contentWindow.postMessage(message, '*')", message
    )


@pytest.mark.parametrize("act", SECTIONS)
def test_one_section_alone_as_high_as_its_content(watched, host, embedded_url, act):
    page, frame = open_host(watched, host, embedded_url, f"act={act}&seed=7")
    expect(frame.locator(f"#{act} h2").first).to_be_visible()
    # Heights by width as the guide states them, for hosts that take no script.
    for width, stated in zip(WIDTHS, heights()[act], strict=True):
        page.set_viewport_size({"width": width, "height": 800})
        page.frames[1].wait_for_function("(width) => innerWidth === width", arg=width)
        wait_for_fit(page, frame)
        # Questions are of many lengths.
        spare = 450 if act == "quiz" else 200
        high = page.locator("iframe").bounding_box()["height"]
        assert stated - spare <= high <= stated, f"docs/embedding.md says {act} is {stated} high at {width}"
        assert page.frames[1].evaluate("document.documentElement.scrollWidth") <= width
    for other in SECTIONS:
        if other != act:
            expect(frame.locator(f"#{other}")).to_be_hidden()
    for selector in ("nav", ".masthead", ".presets", ".prose", "[data-share]", ".skip", "footer"):
        assert frame.locator(f"{selector}:visible").count() == 0
    expect(frame.locator("[data-link-note] [role=status]")).to_be_hidden()
    assert page.evaluate("history.length") <= 2


def test_sandboxed_frame_draws_and_forgets(watched, host, either_url):
    page, frame = open_host(watched, host, either_url, "act=wall&users=58")
    verdict = frame.locator("#wall [data-readout=verdict]")
    expect(verdict).to_have_text("does not fit")
    frame.locator("#wall input[type=number][data-param=users]").fill("57")
    expect(verdict).to_have_text("fits")
    assert (
        page.frames[1].evaluate("(() => { try { return Boolean(localStorage); } catch { return null; } })()")
        is None
    )
    page.frames[1].wait_for_function("new URLSearchParams(location.search).get('users') === '57'")
    assert page.frames[1].evaluate("new URLSearchParams(location.search).get('embed')") == "1"


def test_a_served_embed_opens_no_socket(watched, server):
    page = watched.open("about:blank", wait=None, hosts=[urlsplit(server.url).netloc])
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{server.url}?embed=1&act=wall")
    page.wait_for_selector("html[data-ready]", state="attached")
    assert sockets == []


@pytest.mark.parametrize(("background", "theme"), [("#101418", "dark"), ("#fffef8", "light")])
def test_transparent_on_dark_and_light_hosts(watched, host, embedded_url, background, theme):
    page, frame = open_host(
        watched, host, embedded_url, f"act=wall&theme={theme}&background=transparent", background=background
    )
    wait_for_fit(page, frame)
    assert wait_for_event(page, "kv-cache:height")["theme"] == theme
    box = page.locator("iframe").bounding_box()
    page.evaluate("(top) => scrollTo(0, top)", box["y"])
    shot = page.screenshot(clip={"x": 2, "y": 2, "width": 4, "height": 4})
    pixel = page.evaluate(
        "async (bytes) => { const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));"
        " const canvas = new OffscreenCanvas(4, 4).getContext('2d'); canvas.drawImage(image, 0, 0);"
        " return [...canvas.getImageData(1, 1, 1, 1).data].slice(0, 3); }",
        list(shot),
    )
    assert pixel == [int(background[i : i + 2], 16) for i in (1, 3, 5)]


def test_locked_controls(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=wall&model=llama-3-70b&lock=model,gpus")
    for key in ("model", "gpus"):
        for control in frame.locator(f"#wall [data-param={key}]").all():
            expect(control).to_be_disabled()
            expect(control).to_have_accessible_description("Set by the page that shows this figure.")
    expect(frame.locator("#wall-users")).to_be_enabled()
    state = wait_for_event(page, "kv-cache:state")["state"]
    assert state["model"] == "llama-3-70b"
    assert "live" not in state
    page.evaluate(
        "kvCacheEmbed.set(document.querySelector('iframe'), { model: 'llama-3-8b', gpus: 4, users: 3 })"
    )
    detail = wait_for_event(page, "kv-cache:state", "detail.refused.length")
    assert sorted(detail["refused"]) == ["gpus", "model"]
    assert detail["state"] == state | {"users": 3}
    # Somebody who takes the attribute off by hand changes nothing either.
    frame.locator("#wall-model").evaluate(
        "(select) => { select.disabled = false; select.value = 'llama-3-8b';"
        " select.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    frame.locator("#wall input[type=number][data-param=users]").fill("4")
    assert (
        wait_for_event(page, "kv-cache:state", "detail.state.users === 4")["state"]["model"] == "llama-3-70b"
    )


def test_buttons_that_would_change_a_locked_value(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=wall&lock=model")
    for button in frame.locator("[data-preset], [data-set]").all():
        patch = button.evaluate("(element) => JSON.parse(element.dataset.preset ?? element.dataset.set)")
        assert button.is_disabled() == (patch.get("model", "llama-3-8b") != "llama-3-8b")
    assert page.frames[1].evaluate("document.documentElement.dataset.embed") == "wall"


def test_state_events(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=wall&users=16")
    first = wait_for_event(page, "kv-cache:state")
    assert first["act"] == "wall"
    assert first["state"]["users"] == 16
    frame.locator("#wall input[type=number][data-param=users]").fill("58")
    detail = wait_for_event(page, "kv-cache:state", "detail.changed.includes('users')")
    assert detail == {
        "act": "wall",
        "state": first["state"] | {"users": 58},
        "changed": ["users"],
        "refused": [],
    }


def test_quiz_events(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=quiz&quiz=why-kept,gib-of-gb&seed=7")
    form = frame.locator("#quiz form:visible")
    form.locator("input[type=radio]").first.check(force=True)
    form.get_by_role("button", name="Check").click()
    told = wait_for_event(page, "kv-cache:answer")
    assert (told["act"], told["name"], told["seed"], told["kind"], told["guess"]) == (
        "quiz",
        "why-kept",
        7,
        "choice",
        0,
    )
    assert told["right"] == (told["answer"] == 0)
    assert len(told["options"]) == 4
    frame.get_by_role("button", name="Next question").click()
    form.get_by_label("Your answer").fill("70 GiB")
    form.get_by_role("button", name="Check").click()
    told = wait_for_event(page, "kv-cache:answer", "detail.kind === 'number'")
    assert (told["guess"], told["unit"], told["options"]) == (70, "GiB", [])
    detail = wait_for_event(page, "kv-cache:quiz", "detail.answered === 2")
    assert set(detail) == {"act", "answered", "correct", "total", "done"}
    assert detail["act"] == "quiz"
    assert detail["done"] is True


def test_guesses_are_told_when_they_are_asked_for(watched, host, embedded_url):
    _, frame = open_host(watched, host, embedded_url, "act=wall")
    expect(frame.locator("form.guess")).to_have_count(0)
    page, frame = open_host(watched, host, embedded_url, "act=wall&predict=1")
    frame.locator("#wall").get_by_label("Your guess", exact=True).fill("20")
    frame.locator("#wall").get_by_role("button", name="Check my guess").click()
    detail = wait_for_event(page, "kv-cache:prediction")
    told = {name: detail[name] for name in ("act", "kind", "guess", "answer", "unit", "right")}
    assert told == {
        "act": "wall",
        "kind": "number",
        "guess": 20,
        "answer": 57,
        "unit": "users",
        "right": False,
    }


def test_host_sets_values_and_theme(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=wall")
    wait_for_event(page, "kv-cache:state")
    page.evaluate("kvCacheEmbed.set(document.querySelector('iframe'), { users: 58, cache: 'fp16' }, 'dark')")
    expect(frame.locator("#wall [data-readout=verdict]")).to_have_text("does not fit")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    assert wait_for_event(page, "kv-cache:height", "detail.theme === 'dark'")["act"] == "wall"
    assert page.evaluate("document.querySelector('iframe').style.colorScheme") == "dark"


HOSTILE = [
    None, 5, "kv-cache:set", [], {}, {"type": "kv-cache:set"}, {"type": "kv-cache:set", "state": None},
    {"type": "kv-cache:set", "state": "users=5"}, {"type": "kv-cache:set", "state": [1, 2]},
    {"type": "kv-cache:set", "state": {"users": "<img src=x onerror=alert(1)>"}, "theme": "<b>"},
    {"type": "kv-cache:set", "state": {"users": {"valueOf": 1, "toString": 1}}},
    {"type": "kv-cache:set", "state": {"model": ["llama-3-70b"], "gpus": -1, "context": 1e300, "nothing": 1}},
]  # fmt: skip


def test_hostile_messages_change_nothing(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=wall")
    before = wait_for_event(page, "kv-cache:state")["state"]
    for message in HOSTILE:
        post_to_frame(page, message)
    post_to_frame(page, {"type": "kv-cache:set", "state": {"users": 9}})
    assert wait_for_event(page, "kv-cache:state", "detail.state.users === 9")["state"] == before | {
        "users": 9
    }
    assert frame.locator("[onerror]").count() == 0
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")  # the host's own


def test_only_the_named_origin_is_heard_and_told(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, f"act=wall&origin={host.origin}")
    wait_for_event(page, "kv-cache:state")
    wait_for_event(page, "kv-cache:height")
    page.evaluate("kvCacheEmbed.set(document.querySelector('iframe'), { users: 9 })")
    expect(frame.locator("#wall input[type=number][data-param=users]")).to_have_value("9")


@pytest.mark.parametrize("origin", ["https://other.example", "nonsense"])
def test_another_origin_is_neither_heard_nor_told(watched, host, embedded_url, origin):
    page, frame = open_host(watched, host, embedded_url, f"act=wall&origin={origin}")
    post_to_frame(page, {"type": "kv-cache:hello"})
    post_to_frame(page, {"type": "kv-cache:set", "state": {"users": 9}})
    users = frame.locator("#wall input[type=number][data-param=users]")
    # A message takes its turn before a timer: once this has run, the ones above have been dealt with.
    page.frames[1].evaluate("() => new Promise((done) => setTimeout(done, 0))")
    expect(users).to_have_value("8")
    users.fill("10")
    expect(frame.locator("#wall [data-readout=verdict]")).to_have_text("fits")
    assert page.evaluate("heard") == []
    assert page.evaluate("window.last ?? null") is None


def test_a_stranger_s_window_is_not_heard(watched, host, embedded_url):
    """Neither the frame nor the script listens to a window other than its counterpart."""
    stranger = (
        "<iframe id='other' srcdoc='<p>another frame</p>'></iframe><script src='kv-cache-embed.js'></script>"
    )
    page, frame = open_host(watched, host, embedded_url, "act=wall", script=stranger)
    wait_for_event(page, "kv-cache:height")
    wait_for_fit(page, frame)
    height = page.evaluate("document.querySelector('iframe').offsetHeight")
    count = page.evaluate("heard.length")
    page.evaluate(
        "() => new Promise((done) => { const other = document.getElementById('other').contentWindow;"
        " addEventListener('message', () => setTimeout(done, 0), { once: true });"
        " other.eval(`parent.postMessage({type: 'kv-cache:height', height: 1234}, '*');"
        " parent.frames[0].postMessage({type: 'kv-cache:set', state: {users: 99}}, '*')`); })"
    )
    page.frames[1].evaluate("() => new Promise((done) => setTimeout(done, 0))")
    assert page.evaluate("document.querySelector('iframe').offsetHeight") == height
    assert page.evaluate("heard.length") == count
    expect(frame.locator("#wall input[type=number][data-param=users]")).to_have_value("8")


def test_a_height_is_a_number_within_bounds(watched, host, file_site):
    file_site.documents["/act"] = (
        "<!DOCTYPE html><html data-ready><title>An act</title>"
        "<script>const tell = () => { for (const height of [321, '1e3', [500], '0x7d0', 39, 20001, NaN, null])"
        " parent.postMessage({type: 'kv-cache:height', height}, '*'); };"
        " addEventListener('message', tell); tell();</script>"
    )
    page, _ = open_host(watched, host, f"{file_site.origin}/act", "")
    page.wait_for_function("heard.length >= 8")
    assert page.evaluate("document.querySelector('iframe').style.height") == "321px"


@pytest.mark.parametrize("attributes", ["", 'sandbox="allow-scripts"'])
def test_a_frame_gone_elsewhere_is_not_believed(watched, host, file_site, embedded_url, attributes):
    """Not even by a page of the act's own origin; once the host shows an act in the frame again, that one is."""
    elsewhere = f"{file_site.origin}/elsewhere"
    file_site.documents["/elsewhere"] = (
        "<!DOCTYPE html><title>Elsewhere</title><script>for (const session of [undefined, '1-2-3-4']) {"
        " parent.postMessage({type: 'kv-cache:height', height: 1234, session}, '*');"
        " parent.postMessage({type: 'kv-cache:quiz', correct: 4, total: 4, done: true, session}, '*'); }"
        " parent.postMessage({type: 'end'}, '*')</script>"
    )
    page, frame = open_host(watched, host, embedded_url, "act=wall", attributes=attributes)
    wait_for_fit(page, frame)
    page.evaluate("window.heard.length = 0")
    page.evaluate("(url) => { document.querySelector('iframe').contentWindow.location = url; }", elsewhere)
    page.wait_for_function("window.last?.[0] === 'end'")
    assert page.evaluate("heard") == []
    assert page.evaluate("document.querySelector('iframe').style.height") != "1234px"
    page.evaluate("() => { const frame = document.querySelector('iframe'); frame.src = frame.src; }")
    assert wait_for_event(page, "kv-cache:state")["act"] == "wall"


def test_a_source_never_takes_the_act_s_place(watched, host, embedded_url):
    def source(popups: str):
        page, frame = open_host(
            watched, host, embedded_url, "act=heads", attributes=f'sandbox="allow-scripts{popups}"'
        )
        page.context.route("https://**", lambda route: route.fulfill(body="<title>A source</title>"))
        link = frame.locator("#heads a[href$='1911.02150']")
        link.evaluate("(element) => element.closest('details').setAttribute('open', '')")
        return page, frame, link

    page, frame, link = source(" allow-popups allow-popups-to-escape-sandbox")
    # By keyboard, as further below: the frame has just grown.
    with page.expect_popup() as opened:
        link.press("Enter")
    # Where it leads is another host, which a test does not ask.
    assert link.get_attribute("rel") == "noopener"
    opened.value.close()
    expect(frame.locator("#heads [data-sentence]")).to_be_visible()
    # Where the frame may open nothing, the reader gets the address.
    page, frame, link = source("")
    link.press("Enter")
    expect(frame.locator("[data-copy-dialog] textarea")).to_have_value(link.get_attribute("href"))
    assert page.frames[1].url.startswith(embedded_url)
    blocked = [fault for fault in watched.faults if "allow-popups" in fault]
    assert len(blocked) == 1
    watched.faults.remove(blocked[0])


def test_the_host_s_light_and_dark_are_followed(watched, host, embedded_url):
    """As a site's own button switches it; a theme in the frame's address, or set by the host, holds."""
    page, frame = open_host(watched, host, embedded_url, "act=wall", background="#111")
    root = frame.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    page.evaluate("document.body.style.background = 'oklch(0.98 0.01 90)'")
    expect(root).to_have_attribute("data-theme", "light")
    page.evaluate(
        "document.body.style.background = 'none'; document.documentElement.style.colorScheme = 'dark'"
    )
    expect(root).to_have_attribute("data-theme", "dark")
    page.evaluate("kvCacheEmbed.set(document.querySelector('iframe'), {}, 'light')")
    expect(root).to_have_attribute("data-theme", "light")
    page.evaluate("document.body.style.background = '#000'")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(root).to_have_attribute("data-theme", "light")
    page, frame = open_host(watched, host, embedded_url, "act=wall&theme=light", background="#111")
    assert wait_for_event(page, "kv-cache:height")["theme"] == "light"
    page.evaluate("document.body.style.background = '#222'")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(frame.locator("html")).to_have_attribute("data-theme", "light")


def test_two_pages_of_a_site_have_answers_of_their_own(watched, file_site):
    query = "?embed=1&act=quiz&quiz=why-kept,gib-of-gb"
    page = watched.open(f"{file_site.origin}/page.html{query}")
    page.locator("#quiz form:visible input").first.check(force=True)
    page.locator("#quiz form:visible").get_by_role("button", name="Check").click()
    left = page.locator("#quiz [data-progress]")
    expect(left).to_have_text("right. 1 to go.")
    page.reload()
    expect(left).to_have_text("right. 1 to go.")
    page.goto(f"{file_site.origin}/week7.html{query}")
    expect(left).to_have_text("right. 2 to go.")
    # The same name for another week's page is another page too.
    week7 = file_site.documents["/week7.html"]
    file_site.documents["/page.html"], kept = week7, file_site.documents["/page.html"]
    page.goto(f"{file_site.origin}/page.html{query}")
    file_site.documents["/page.html"] = kept
    expect(left).to_have_text("right. 2 to go.")


@pytest.mark.parametrize("broken", ["growth", "wall"])
def test_an_act_that_cannot_start_says_so_and_leaves_the_others_alive(watched, file_site, broken):
    text = file_site.documents["/page.html"]
    file_site.documents["/broken.html"] = text.replace(
        f"{broken}:{broken}_frame", f"{broken}:()=>{{throw new Error('broken')}}", 1
    )
    assert file_site.documents["/broken.html"] != text
    page = watched.open(f"{file_site.origin}/broken.html?users=9&seed=7")
    expect(page.locator(f"[data-act={broken}] > [data-stopped]")).to_contain_text("could not start")
    expect(page.locator("[data-stopped]")).to_have_count(1)
    heads = page.locator("#heads")
    before = heads.locator("[data-sentence]").text_content()
    deployment(page).get_by_role("button", name="70B does not fit one card").click()
    expect(heads.locator("[data-sentence]")).not_to_have_text(before)
    expect(heads).to_contain_text("Check my guess")
    expect(page.locator("#quiz form:visible")).to_have_count(1)
    heads.locator("[data-plot]").first.scroll_into_view_if_needed()
    heads.locator("canvas").first.wait_for()
    assert [fault for fault in watched.faults if "broken" not in fault] == []
    watched.faults.clear()


def test_a_bad_query_shows_the_first_act_and_its_note(watched, host, embedded_url):
    page, frame = open_host(watched, host, embedded_url, "act=nowhere&users=-4&lock=everything")
    expect(frame.locator(f"#{ACTS[0].id}")).to_be_visible()
    status = frame.locator("[data-link-note] [role=status]")
    for key in ("act", "users", "lock"):
        expect(status).to_contain_text(f"{key} (")
    wait_for_fit(page, frame)
    frame.get_by_role("button", name="Dismiss").click()
    wait_for_fit(page, frame)


def test_file_in_file(watched, exported, tmp_path):
    """The exported file embedded by a page that is itself a file."""
    page_file = tmp_path / "host.html"
    page_file.write_text(
        HOST.format(
            src=f"{exported}?embed=1&amp;act=wall",
            attributes="",
            background="#fff",
            script=f"<script>{SCRIPT}</script>",
        )
    )
    page = watched.open(page_file.as_uri(), wait=None)
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready]").wait_for(state="attached")
    wait_for_event(page, "kv-cache:state")
    wait_for_fit(page, frame)


class Snippet(HTMLParser):
    """Attributes of the first iframe."""

    frame: dict | None = None

    def handle_starttag(self, tag, attributes):
        if tag == "iframe" and self.frame is None:
            self.frame = dict(attributes)


def test_copied_embed_code_works_where_it_is_pasted(watched, host, embedded_url):
    page = watched.open(
        f"{embedded_url}?users=58&utm_source=x", permissions=["clipboard-read", "clipboard-write"]
    )
    page.get_by_role("button", name=re.compile("^Copy embed code of The concurrency wall")).click()
    expect(page.locator("#wall [data-share] [role=status]")).to_have_text(
        "Embed code copied. It names a server on this computer and works nowhere else."
    )
    code = page.evaluate("navigator.clipboard.readText()")
    snippet = Snippet()
    snippet.feed(code)
    assert snippet.frame["src"] == f"{embedded_url}?act=wall&users=58&embed=1"
    assert snippet.frame["title"] == f"The KV cache: {Wall.title}"
    assert snippet.frame["loading"] == "lazy"
    assert (
        snippet.frame["sandbox"]
        == "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox"
    )
    assert int(snippet.frame["height"]) == max(heights()["wall"][1:])
    # MDX takes it too: no style as a text, and what stands in the script is one pair of braces.
    assert "style=" not in code
    assert re.fullmatch(r"<iframe [^<>{}]*></iframe>\n<script>\n\{\n.*[^;]\n\}\n</script>\n", code, re.DOTALL)
    host.documents["/"] = (
        f"<!DOCTYPE html><html lang='en'><title>Host</title><h1>Host</h1>{code}{code}</html>"
    )
    page = watched.open(f"{host.origin}/", wait=None, hosts=[urlsplit(embedded_url).netloc])
    for number in (0, 1):
        frame = page.frame_locator("iframe").nth(number)
        frame.locator("html[data-ready]").wait_for(state="attached")
        expect(frame.locator("#wall [data-readout=verdict]")).to_have_text("does not fit")
        page.wait_for_function(
            "(number) => document.querySelectorAll('iframe')[number].style.height.endsWith('px')", arg=number
        )
    # What a figure is saved as comes out of the frame.
    saving = frame.locator("[data-save=memory]")
    saving.evaluate("(details) => { details.open = true; }")
    with page.expect_download():
        saving.locator("[data-as=csv]").press("Enter")
    expect(saving.locator("[role=status]")).to_contain_text("if the page around this one allows downloads")


# The guide --------------------------------------------------------------------------------------


def snippets() -> list[str]:
    return re.findall(r"^```html\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def heights() -> dict[str, list[int]]:
    """The guide's table: each section's height in px at :data:`WIDTHS`."""
    rows = re.findall(r"^\| `(\w+)` \|((?: [\d,]+ \|)+)$", GUIDE, re.MULTILINE)
    return {name: [int(cell.replace(",", "")) for cell in cells.split("|")[:-1]] for name, cells in rows}


def test_the_guide_s_snippets_work_together(watched, host, embedded_url):
    frame_code, events, setting, _ = snippets()
    frame_code = frame_code.replace("https://example.org/kv-cache.html", embedded_url)
    host.documents["/"] = (
        f"<!DOCTYPE html><html lang='en'><title>Host</title>{frame_code}{events}{setting}</html>"
    )
    page = watched.open(f"{host.origin}/", wait=None, hosts=[urlsplit(embedded_url).netloc])
    expect(page.locator("#users")).to_have_text("16")
    page.wait_for_function("document.querySelector('iframe').style.height.endsWith('px')")
    # By keyboard: right after a scroll, headless Chromium still gives clicks to where the frame was.
    page.get_by_role("button", name="Ask for 64 users").press("Enter")
    expect(page.locator("#users")).to_have_text("64")


def test_the_guide_s_snippet_without_the_script(watched, host, embedded_url):
    plain = snippets()[3]
    page, frame = open_host(watched, host, embedded_url, "act=wall", script=plain)
    post_to_frame(page, {"type": "kv-cache:hello"})
    wait_for_fit(page, frame)


def test_the_guide_s_link_opens(watched, embedded_url):
    link = re.search(r"https://example.org/kv-cache.html(\?\S+)", GUIDE)
    page = watched.open(embedded_url + link[1])
    expect(page.locator("#deployment-model")).to_have_value("llama-3-70b")
    expect(page.locator("[data-link-note] [role=status]")).to_be_hidden()


def test_the_guide_names_all_there_is():
    for name in ("embed", "act", "fit", "lock", "theme", "background", "origin"):
        assert f"| `{name}` |" in GUIDE
    for kind in ("kv-cache:state", "kv-cache:quiz", "kv-cache:height", "kv-cache:set", "kv-cache:hello"):
        assert kind in GUIDE
