"""Words drawn on a figure are never cut off, never lie on one another and never on an upright line, narrow or wide."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings

from acts import ACTS

from .test_twin import RANDOM_STATES, states

pytestmark = pytest.mark.browser

#: From now on, notes for each canvas the box of every word and every strong upright line, in the canvas's own pixels.
NOTE_WORDS = """() => {
    const paper = CanvasRenderingContext2D.prototype;
    const { beginPath, clearRect, fillText, moveTo, lineTo, stroke } = paper;
    globalThis.wordsOn = new Map();
    globalThis.linesOn = new Map();
    let from = null;
    let upright = [];
    paper.beginPath = function () {
        upright = []; // what was only filled is no line
        return beginPath.call(this);
    };
    paper.moveTo = function (x, y) {
        from = this.getTransform().transformPoint({ x, y });
        return moveTo.call(this, x, y);
    };
    paper.lineTo = function (x, y) {
        const to = this.getTransform().transformPoint({ x, y });
        const [top, bottom] = [from.y, to.y].sort((one, other) => one - other);
        if (from.x === to.x) upright.push({ x: to.x, top, bottom });
        from = to;
        return lineTo.call(this, x, y);
    };
    paper.stroke = function (...path) {
        if (this.lineWidth >= 2) linesOn.get(this.canvas)?.push(...upright);
        return stroke.apply(this, path);
    };
    paper.clearRect = function (...area) {
        wordsOn.set(this.canvas, []);
        linesOn.set(this.canvas, []);
        return clearRect.apply(this, area);
    };
    paper.fillText = function (text, x, y, ...more) {
        const size = this.measureText(text);
        const place = this.getTransform();
        const corners = [-size.actualBoundingBoxLeft, size.actualBoundingBoxRight].flatMap((across) =>
            [-size.actualBoundingBoxAscent, size.actualBoundingBoxDescent].map((down) =>
                place.transformPoint({ x: x + across, y: y + down })));
        const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
        if (text.trim()) wordsOn.get(this.canvas)?.push({
            text, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys),
        });
        return fillText.call(this, text, x, y, ...more);
    };
}"""

#: What plays is drawn step by step; all else waits for a pause where a redraw takes long, as on a busy machine.
PLAYING = "document.querySelectorAll('[data-plot]').forEach((plot) => { plot.dataset.playing = ''; })"

#: Sets a state as a host would, paints it at once, and gives the words that are cut off or meet something, and the
#: count of all.
FAULTS_AFTER = """async (state) => {
    dispatchEvent(new MessageEvent("message", { source: parent, data: { type: "kv-cache:set", state } }));
    await new Promise(requestAnimationFrame);
    await new Promise((done) => requestIdleCallback(done, { timeout: 50 })); // as figures wait for their turn
    for (const view of Bokeh.index.roots) view.paint?.();
    const faults = [];
    const within = (word, { width, height }) =>
        word.left > -1 && word.top > -1 && word.right < width + 1 && word.bottom < height + 1;
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    const crosses = (line, word) => line.x > word.left + 1 && line.x < word.right - 1
        && Math.min(line.bottom, word.bottom) - Math.max(line.top, word.top) > 1;
    let count = 0;
    for (const [canvas, words] of wordsOn) {
        if (!canvas.isConnected) continue;
        count += words.length;
        words.forEach((word, index) => {
            if (!within(word, canvas)) faults.push(`"${word.text}" is cut off`);
            if (linesOn.get(canvas).some((line) => crosses(line, word))) faults.push(`"${word.text}" lies on a line`);
            for (const other of words.slice(index + 1)) {
                if (meet(word, other)) faults.push(`"${word.text}" meets "${other.text}"`);
            }
        });
    }
    return { faults, count };
}"""


@pytest.mark.parametrize("width", [320, 1000])
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.id)
def test_words_on_figures_keep_apart(act, width, exported, tmp_path, watched):
    host = tmp_path / "host.html"
    frame = (
        f'<iframe src="{exported}?embed=1&act={act.id}" style="width: {width}px; height: 2900px"></iframe>'
    )
    host.write_text(f"<!doctype html><title>host</title>{frame}", encoding="utf-8")
    page = watched.open(host.as_uri(), wait=None, viewport={"width": width + 40, "height": 3000})
    inside = page.frames[1]
    inside.wait_for_selector("html[data-ready]", state="attached")
    inside.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    inside.wait_for_function("!document.querySelector('[data-embedded] .still')")
    inside.evaluate(NOTE_WORDS)
    inside.evaluate(PLAYING)
    seen = 0

    @settings(RANDOM_STATES, max_examples=60, phases=[Phase.generate])
    @given(states(act))
    def check(state):
        nonlocal seen
        result = inside.evaluate(FAULTS_AFTER, state)
        seen += result["count"]
        assert result["faults"] == []

    check()
    assert seen > 0
