"""The page as files for a web server or CDN: one small document, and what it loads under names that never change.

    out/site/index.html              the document, checked for a newer one at each visit
    out/site/licences.txt            the licences of all this
    out/site/assets/NAME-HASH.EXT    cached for good: other content has another name
    out/site/kv-cache-embed.js       what pages run that embed an act from here
    out/site/card.png                the picture that goes with the page's link
    out/site/touch-icon.png          the page's icon on a telephone's home screen
    out/site/robots.txt              that everything may be read; and, where the address is known, the sitemap

Beside each text file lies the same in gzip and in Brotli, so that no server has to compress.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from pathlib import Path

import bokeh
import brotli

from acts import ACTS
from acts.decoder.weights import weights_text
from acts.scripts import STATIC
from acts.twin import script_json

from .about import CARD, TOUCH_ICON
from .files import write_file
from .licences import licences
from .page import FONTS, document, host_script, make_acts, script_texts, weights_holder

#: A <script> with code in it; data and scripts with an address are not run by their content.
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def build_site(folder: Path, address: str = "", source: str = "") -> list[Path]:
    """Writes the site into ``folder``; returns the files written. Raises OSError if it cannot.

    ``address`` is where the page will be found, ending with a slash; only with it can links to it have a picture.
    ``source`` is where its source is kept and errors are reported, for the page's foot.
    """
    # First, since what cannot be written is told at once.
    (folder / "site" / "assets").mkdir(parents=True, exist_ok=True)
    bokeh_js = Path(bokeh.__file__).parent / "server" / "static" / "js" / "bokeh.min.js"
    assets = {
        asset_name(source): source.read_bytes()
        for source in (bokeh_js, *(STATIC / file for file in FONTS.values()))
    }
    fonts = {file: f"assets/{asset_name(STATIC / file)}" for file in FONTS.values()}
    scripts = {name: text.encode() for name, text in script_texts().items()}
    scripts["decoder.js"] = f"kvCacheWeights({script_json(weights_text())});\n".encode()
    assets |= {hashed_name(name, content): content for name, content in scripts.items()}
    places = {name: f"assets/{hashed_name(name, content)}" for name, content in scripts.items()}
    body = document(make_acts(), fonts=fonts, scripts=places, address=address, source=source)
    body += weights_holder(places["decoder.js"])
    later = f'<script type="text/plain" data-bokeh data-src="assets/{asset_name(bokeh_js)}"></script>'
    # The scripts, whose texts may run over lines, stand beside it: what begins a line is for readers of the templates.
    html = re.sub(r"\n\s+", "\n", f"{body}\n{later}\n</body>\n</html>\n")
    # The document last: whoever gets it finds what it names.
    contents = {f"site/assets/{name}": content for name, content in assets.items()}
    contents |= about_site(address)
    contents["site/kv-cache-embed.js"] = host_script().encode()
    contents |= {"site/licences.txt": licences().encode(), "site/index.html": with_policy(html).encode()}
    written = []
    for name, content in contents.items():
        written.append(folder / name)
        if name.endswith((".html", ".js")):
            for ending, small in (
                ("gz", gzip.compress(content, 9, mtime=0)),
                ("br", brotli.compress(content)),
            ):
                write_file(folder / f"{name}.{ending}", small)
                written.append(folder / f"{name}.{ending}")
        write_file(folder / name, content)
    return written


def about_site(address: str) -> dict[str, bytes]:
    """What is not for readers but for those who pass the page on: its picture, robots.txt, a sitemap."""
    files = {f"site/{name}": (STATIC / name).read_bytes() for name in (CARD, TOUCH_ICON)}
    robots = "User-agent: *\nAllow: /\n"
    if address:
        robots += f"Sitemap: {address}sitemap.xml\n"
        places = "".join(f"<url><loc>{place}</loc></url>" for place in (address, *act_links(address)))
        files["site/sitemap.xml"] = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>\n'
        ).encode()
    return files | {"site/robots.txt": robots.encode()}


def act_links(address: str) -> list[str]:
    """The link of each act on the page at ``address``."""
    return [f"{address}?act={act.id}" for act in ACTS]


def asset_name(source: Path) -> str:
    """The file's name with its content's hash in it."""
    return hashed_name(source.name, source.read_bytes())


def hashed_name(name: str, content: bytes) -> str:
    """A file's name with the hash of its content in it."""
    digest = hashlib.sha256(content).hexdigest()[:12]
    return f"{name.split('.', maxsplit=1)[0]}-{digest}{Path(name).suffix}"


def with_policy(html: str) -> str:
    """``html`` with its own policy inside, so that no server can send it under another document's."""
    mark = '<meta charset="utf-8">\n'
    before, _, after = html.partition(mark)
    return f'{before}{mark}<meta http-equiv="Content-Security-Policy" content="{policy(html)}">\n{after}'


def policy(html: str) -> str:
    """The strictest Content-Security-Policy under which ``html`` works, but for who may embed it.

    It names no host. Bokeh sets styles from its script, hence 'unsafe-inline' for styles; scripts are known by hash.
    """
    return "; ".join(
        [
            "default-src 'none'",
            " ".join(["script-src 'self'", *script_hashes(html)]),
            "style-src 'unsafe-inline'",
            "font-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",  # what judges a page fetches robots.txt as the page would
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def script_hashes(html: str) -> list[str]:
    """A policy's name for each script inside ``html``."""
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE_SCRIPT.findall(html))
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]
