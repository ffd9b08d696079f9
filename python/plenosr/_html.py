"""How results show themselves in notebooks."""
import base64
import html
import os
import tempfile

from . import _core

LARGEST_SIDE = 480  # pixels on the page
PAGE_HEIGHT = 640  # pixels of the viewer in a notebook
# Pixels of the views that a notebook may contain, 25 views of 512 x 512: pages become part of the file.
LARGEST_LIGHT_FIELD = 25 * 512 * 512


def _png(image):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "image.png")
        _core.write_image(path, image, "8", None, None)
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()


def caption_html(caption):
    return f"<div>{html.escape(caption)}</div>"


def picture_html(image, caption, side=LARGEST_SIDE):
    """The picture with its caption, as high or wide as `side` at most."""
    height, width = image.shape[:2]
    shown = min(side, max(height, width))
    size = f"width={shown}" if width >= height else f"height={shown}"
    return (f'<figure style="display:inline-block;margin:4px"><img {size} '
            f'src="data:image/png;base64,{_png(image)}"/><figcaption>{html.escape(caption)}</figcaption></figure>')


def table_html(rows):
    cells = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                    for name, value in rows.items())
    return f"<table>{cells}</table>"


def page_html(page):
    """A page of the viewer within a notebook. It has no access to the notebook."""
    return (f'<iframe sandbox="allow-scripts allow-downloads" style="width:100%;height:{PAGE_HEIGHT}px;border:0" '
            f'title="PlenoSR" srcdoc="{html.escape(page)}"></iframe>')
