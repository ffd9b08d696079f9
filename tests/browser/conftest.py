"""Pages of `plenosr report` and `plenosr view` in a real browser, on small rendered scenes."""
import base64
import io
import json
import os
import re
import subprocess
import urllib.parse

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

PROGRAM = os.environ["PLENOSR_PROGRAM"]
CHROMIUM = os.environ.get("PLENOSR_CHROMIUM", "/usr/bin/chromium")
# WebGL2 without a graphics processor; containers have no sandbox of their own.
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


def run_program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def pixels_of(file):
    return np.asarray(Image.open(file).convert("RGB")).astype(int)


def view_file(folder, row, col, cols=5):
    return folder / f"input_Cam{row * cols + col:03d}.png"


class Scene:
    """A rendered light field, its degraded form, a result and its report."""

    def __init__(self, folder):
        self.truth = folder / "scene"
        self.views = folder / "lr"
        self.result = folder / "out.png"
        self.json = folder / "out.json"
        run_program("synth", "-o", self.truth, "--scene", "planes", "--grid", 5, "--width", 158, "--height", 122,
                    "--quiet")
        run_program("degrade", self.truth, "-o", self.views, "--scale", 2, "--gaussian", 2, "--seed", 1,
                    "--colour", "rgb", "--quiet")
        run_program("reconstruct", self.views, "-o", self.result, "--json", self.json, "--truth",
                    view_file(self.truth, 2, 2), "--quiet")
        self.report = json.loads(self.json.read_text())


@pytest.fixture(scope="session")
def scene(tmp_path_factory):
    return Scene(tmp_path_factory.mktemp("scene"))


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Viewer:
    """An open page. Its methods act as people do: keys, clicks, downloads."""

    def __init__(self, page, url):
        self.page = page
        self.url = url

    def go(self, **state):
        self.page.goto(self.url + "#" + urllib.parse.urlencode(state))
        self.settle()

    def settle(self):
        """Waits until all pictures that are needed are drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.page.wait_for_function(
            "() => [...document.querySelectorAll('#view, #pictures')].every(({ dataset, offsetParent }) => { "
            "const v = offsetParent && dataset.views; return !v || v.split('/')[0] === v.split('/')[1]; })")
        self.page.wait_for_timeout(150)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def text(self, name):
        return self.page.locator(f"#{name}").inner_text()

    def saved(self, button="save"):
        with self.page.expect_download() as download:
            self.page.locator(f"#{button}").click()
        with open(download.value.path(), "rb") as file:
            return file.read()

    def picture(self):
        """What Save PNG saves."""
        return np.asarray(Image.open(io.BytesIO(self.saved())).convert("RGB")).astype(int)

    def canvas(self, name):
        """The pixels of a canvas."""
        url = self.page.evaluate("(id) => document.getElementById(id).toDataURL()", name)
        return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGB")).astype(int)

    def number(self, name):
        """The first number in the text of an element."""
        return float(re.search(r"-?\d+(\.\d+)?(e[+-]?\d+)?", self.text(name))[0])


@pytest.fixture
def viewer(browser):
    """A function that opens a page. At the end no page may have complained or loaded anything."""
    contexts, complaints = [], []

    def opened(target, size=(1280, 800), init="", scheme="light", **state):
        url = target if str(target).startswith("http") else "file://" + urllib.parse.quote(str(target))
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme,
                                      accept_downloads=True)
        contexts.append(context)
        page = context.new_page()
        if init:
            page.add_init_script(init)
        page.on("console", lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: (complaints.append("a dialog: " + dialog.message), dialog.dismiss()))
        own = url.split("#")[0]
        page.requests = []

        def check(request):
            page.requests.append(request.url)
            if not request.url.startswith((own, "data:", "blob:")):
                complaints.append("a request: " + request.url)
        page.on("request", check)
        shown = Viewer(page, url)
        shown.go(**state)
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
