"""The verbs of images: take in, cut into tiles, gather look-alikes."""

from annotation.images.operations.taking import OtherBytes, original_key, take_in
from annotation.images.operations.tiling import enqueue_tiling, pyramid_key, tile
from annotation.images.operations.wanting import want
from annotation.images.pixels import Refused

__all__ = ["OtherBytes", "Refused", "enqueue_tiling", "original_key", "pyramid_key", "take_in", "tile", "want"]
