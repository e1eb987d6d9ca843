"""Drawing a scene: textured ground, scenery, then every thing in the order of painting, and grain over all.

Drawings are vector templates, so every edge is smooth at every size. Runs in a process of its own (see `making`): the
site's own processes refuse SVG, as they must, and memory is given back when a picture is done.
"""

from collections.abc import Iterator

import numpy as np
import pyvips
from numpy.typing import NDArray

from annotation.demo.scenes.art import picture_of
from annotation.demo.scenes.backdrops import pieces, surface
from annotation.demo.scenes.geometry import Box
from annotation.demo.scenes.scene import Scene, Thing

Pixels = NDArray[np.uint8]
QUALITY = 92
ROWS = 256
GRAIN, GRAIN_SIZE = 5, 509
LIT, SHADED = 1.07, 0.86  # from the upper left to the lower right of a thing
SHADOW = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 20" preserveAspectRatio="none"><defs><radialGradient id="s">'
    '<stop offset="0" stop-color="#140f0a" stop-opacity=".62"/><stop offset=".6" stop-color="#140f0a" stop-opacity=".34"/>'
    '<stop offset="1" stop-color="#140f0a" stop-opacity="0"/></radialGradient></defs>'
    '<ellipse cx="50" cy="10" rx="50" ry="10" fill="url(#s)"/></svg>'
)


def rendered(scene: Scene) -> Pixels:
    """The picture as height x width x 3."""
    canvas = np.empty((scene.height, scene.width, 3), np.uint8)
    for top in range(0, scene.height, ROWS):
        canvas[top : top + ROWS] = surface(scene, top, min(top + ROWS, scene.height))
    for piece in pieces(scene):
        lay(canvas, piece.box, sprite(piece.svg, piece.box))
    for thing in scene.things:
        if thing.carrier is None:
            lay(canvas, shadow_of(thing), sprite(SHADOW, shadow_of(thing)))
        lay(canvas, thing.box, drawn(thing))
    _grained(canvas, scene.seed)
    return canvas


def save(scene: Scene, path: str) -> None:
    """The picture as a JPEG."""
    pixels = rendered(scene)
    image = pyvips.Image.new_from_memory(pixels, scene.width, scene.height, 3, "uchar")
    image.copy(interpretation="srgb").jpegsave(path, Q=QUALITY, keep="none")


def drawn(thing: Thing) -> Pixels:
    """One thing as height x width x 4 of its box, lit from the upper left."""
    pixels = sprite(picture_of(thing), thing.box)
    rows = np.linspace(0, 1, thing.box.height, dtype=np.float32)[:, None]
    columns = np.linspace(0, 1, thing.box.width, dtype=np.float32)[None, :]
    light = LIT - (LIT - SHADED) * (0.4 * rows + 0.6 * columns)
    pixels[..., :3] = np.minimum(pixels[..., :3] * light[..., None], 255).astype(np.uint8)
    return pixels


def sprite(svg: str, box: Box) -> Pixels:
    """A drawing stretched to a box, with alpha, which is not multiplied in."""
    sized = svg.replace("<svg ", f'<svg width="{box.width}" height="{box.height}" ', 1)
    return pyvips.Image.svgload_buffer(sized.encode()).numpy().copy()


def shadow_of(thing: Thing) -> Box:
    """Where a thing darkens the ground: a little wider than itself, shifted away from the light."""
    width, height = round(thing.box.width * 1.16), max(2, round(min(thing.box.width * 0.17, thing.box.height * 0.22)))
    left = thing.box.x1 - round(thing.box.width * 0.04)
    top = thing.box.y2 - round(height * 0.62)
    return Box(left, top, left + max(2, width), top + height)


def lay(canvas: Pixels, box: Box, pixels: Pixels) -> None:
    """Paint over the canvas; what lies outside of it is cut off."""
    height, width = canvas.shape[:2]
    x1, y1, x2, y2 = max(0, box.x1), max(0, box.y1), min(width, box.x2), min(height, box.y2)
    if x1 >= x2 or y1 >= y2:
        return
    part = pixels[y1 - box.y1 : y2 - box.y1, x1 - box.x1 : x2 - box.x1]
    under = canvas[y1:y2, x1:x2]
    alpha = part[..., 3:].astype(np.uint16)
    mixed = part[..., :3] * alpha + under * (255 - alpha)
    under[:] = (mixed + 127) // 255


def _grained(canvas: Pixels, seed: int) -> None:
    """Film grain, so that flat areas are no flat areas to a compressor."""
    tile = np.random.default_rng(seed).integers(-GRAIN, GRAIN + 1, (GRAIN_SIZE, GRAIN_SIZE, 1), dtype=np.int16)
    width = canvas.shape[1]
    rows = np.tile(tile, (1, -(-width // GRAIN_SIZE), 1))[:, :width]
    for part in _strips(canvas):
        part[:] = np.clip(part + rows[: len(part)], 0, 255).astype(np.uint8)


def _strips(canvas: Pixels) -> Iterator[Pixels]:
    for top in range(0, len(canvas), GRAIN_SIZE):
        yield canvas[top : top + GRAIN_SIZE]
