"""The example notebook: executed, exported, and opened without a kernel; in JupyterLab, with one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from acts import Scenario, Wall
from tests.conftest import deployment
from tests.documents import ROOT, blocks, run

pytestmark = pytest.mark.browser


def act(page, figure: str):
    return page.locator(".act-body", has=page.locator(f"[data-plot='{figure}']"))


def exact(page, figure: str, parameter: str):
    return act(page, figure).locator(f"input[type=number][data-param={parameter}]")


# The first word of a source of the wall's bar: of its labels the users asked for, of the wall those that fit.
WORD = "((name) => Bokeh.documents.map((d) => d.get_model_by_name(name)).filter(Boolean)[0]?.data.text[0])"


@pytest.fixture(scope="module")
def exported_notebook(tmp_path_factory) -> str:
    """The file: URL of what the documented command makes of the example, with a change after the last display."""
    folder = tmp_path_factory.mktemp("notebook")
    shutil.copytree(ROOT / "docs", folder / "docs")
    example = folder / "docs/examples/kv_cache.ipynb"
    notebook = json.loads(example.read_text(encoding="utf-8"))
    notebook["cells"].append({**notebook["cells"][1], "id": "later", "source": "wall.scenario.users = 45"})
    example.write_text(json.dumps(notebook), encoding="utf-8")
    run(blocks("notebook.md", "bash")[1], folder)
    return (folder / "kv_cache.html").as_uri()


def test_exported_notebook_works_without_a_kernel(watched, exported_notebook):
    page = watched.open(exported_notebook, wait="[data-readout=max-users]", offline=True)
    # What held last, not what the act was displayed with.
    expect(exact(page, "wall:memory", "users")).to_have_value("45")
    expect(page.get_by_text("40 users wanted, 57 fit: it fits")).to_be_visible()
    act(page, "wall:memory").locator("[data-plot='wall:memory']").scroll_into_view_if_needed()
    page.wait_for_function(f"{WORD}('wall:labels') === '45 users'")
    exact(page, "wall:memory", "users").fill("60")
    expect(act(page, "wall:memory").locator("[data-readout=verdict]")).to_have_text("does not fit")
    page.wait_for_function(f"{WORD}('wall:labels') === '60 users'")
    # The other cell's act moves this one, though no Python is there.
    deployment(act(page, "heads:joins"))
    exact(page, "heads:joins", "context").fill("4096")
    fit = str(Wall(Scenario(model="llama-3-8b", users=60, context=4096)).max_users)
    expect(act(page, "wall:memory").locator("[data-readout=max-users]")).to_have_attribute("data-value", fit)
    act(page, "wall:memory").locator("[data-plot='wall:memory']").scroll_into_view_if_needed()
    page.wait_for_function(f"{WORD}('wall:wall') === 'the wall: {fit} users'")


@pytest.mark.parametrize("width", [390, 1280])
def test_exported_notebook_has_room_for_its_figures(watched, exported_notebook, width):
    page = watched.open(
        exported_notebook,
        wait="[data-readout=max-users]",
        viewport={"width": width, "height": 900},
        color_scheme="dark",
    )
    page.wait_for_function(
        "Bokeh.documents.flatMap((d) => d.roots()).filter((m) => m.type === 'Plot').length >= 4"
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    area = act(page, "wall:memory").locator("[data-plot='wall:curve']")
    assert area.bounding_box()["height"] >= 250
    # nbconvert's page is light even where the system is dark, and so is the act.
    colour = act(page, "wall:memory").locator("[data-sentence]").evaluate("(e) => getComputedStyle(e).color")
    assert colour == "rgb(29, 28, 26)"


def test_the_python_of_the_documentation_runs():
    space: dict = {}
    for code in blocks("notebook.md", "python"):
        exec(compile(code, "docs/notebook.md", "exec"), space)
    assert space["wall"].max_users == 57


# With a kernel ------------------------------------------------------------------------------------

KERNEL = "jupyterapp.shell.currentWidget.sessionContext?.session?.kernel"
# Runs code in the notebook's kernel, as a cell would.
RUN = f"async (code) => {{ await {KERNEL}.requestExecute({{ code }}).done; }}"
# What an expression is in the kernel. Not what it prints: the kernel takes messages of displays and cells in several
# threads, and at times sends what is printed to the wrong one.
VALUE = (
    f"async (value) => {{ const asked = {{ code: '', user_expressions: {{ value }} }};"
    f" const reply = await {KERNEL}.requestExecute(asked).done;"
    " return reply.content.user_expressions.value.data['text/plain']; }"
)


@pytest.fixture
def lab(tmp_path):
    """The URL of a JupyterLab on a folder with the example, and that folder."""
    pytest.importorskip("jupyterlab", reason="needs the extra docs")
    shutil.copy(ROOT / "docs/examples/kv_cache.ipynb", tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    own = {
        name: str(tmp_path / ".jupyter") for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--expose-app-in-browser", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}"]
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, env=os.environ | own, stdout=log, stderr=log)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(url + "api", timeout=5).read()
                break
            except OSError:
                time.sleep(0.2)
        else:
            raise RuntimeError((tmp_path / "log").read_text())
        yield url, tmp_path
    finally:
        process.terminate()
        process.wait(30)


def open_notebook(page):
    page.wait_for_function(
        f"() => window.jupyterapp?.shell?.currentWidget && {KERNEL}?.status === 'idle'", timeout=120_000
    )


@pytest.mark.docs
def test_controls_and_kernel_in_step_in_jupyterlab(lab, watched):
    url, folder = lab
    page = watched.open(f"{url}lab/tree/kv_cache.ipynb", wait=None)
    messages = []
    page.on("console", lambda message: messages.append(message.text))
    open_notebook(page)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_selector("[data-readout=head-ratio]", timeout=120_000)
    users = exact(page, "wall:memory", "users")
    expect(users).to_have_value("40")
    # A control moved in the page reaches the kernel.
    users.fill("33")
    deadline = time.monotonic() + 20
    while page.evaluate(VALUE, "wall.scenario.users") != "33":
        assert time.monotonic() < deadline
    # A parameter set by a cell reaches the page, in both acts' cells.
    page.evaluate(RUN, "wall.scenario.param.update(users=66, context=4096)")
    expect(users).to_have_value("66")
    expect(exact(page, "heads:joins", "context")).to_have_value("4096")
    # Dark as the notebook is.
    page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    sentence = act(page, "wall:memory").locator("[data-sentence]")
    expect(sentence).to_have_css("color", "rgb(236, 233, 225)", timeout=15_000)
    # A reloaded tab shows what holds now, not what was saved.
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    # Saved are the scripts, once, and what was moved.
    saved = (folder / "kv_cache.ipynb").read_text(encoding="utf-8")
    assert len(saved) < 4_500_000
    assert '\\"users\\":66' in saved
    page.evaluate(RUN, "wall.scenario.users = 50")
    page.reload()
    open_notebook(page)
    expect(users).to_have_value("50", timeout=60_000)
    assert not [text for text in messages if "Traceback" in text or "traceback" in text]
    # What Jupyter itself asks for and does not find is no fault of the act.
    watched.faults[:] = [fault for fault in watched.faults if "404" not in fault]
