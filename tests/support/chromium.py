"""Debian's Chromium, or another one of this machine, driven through Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

MISSING = "No Chromium is found: apt-get install chromium (or tools/ensure_chromium.sh), or name one in FERMATA_CHROMIUM."
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ELSEWHERE = ("/Applications/Chromium.app/Contents/MacOS/Chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
_FLAGS = (
    "--no-sandbox",  # root has none in a container; the pages are ours
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # nothing leaves this machine, whatever a page tries
)


def find() -> str | None:
    """Return the path of a Chromium, None when there is none."""
    named = os.environ.get("FERMATA_CHROMIUM")
    on_the_path = (shutil.which(name) for name in _NAMES)
    return (
        named or next((found for found in on_the_path if found), None) or next((path for path in _ELSEWHERE if Path(path).exists()), None)
    )


@contextmanager
def running(path: str) -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, headless=True, args=_FLAGS)
        yield browser
        browser.close()
