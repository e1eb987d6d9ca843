"""The verbs of images: want, fetch or take from where they lie, take in, cut into tiles, gather look-alikes."""

from annotation.images.operations.acquiring import (
    Arrival,
    Shelf,
    acquire_from_folder,
    acquire_from_prefix,
    acquire_from_zip,
)
from annotation.images.operations.asking import AGAIN, NothingToAskAgain, ask_again
from annotation.images.operations.clusters import (
    NothingToSplit,
    ReasonMissing,
    SameCluster,
    TooManyPairs,
    forget,
    hold_clusters,
    join_clusters,
    split_cluster,
)
from annotation.images.operations.erasing import AlreadyTakenDown, TakedownUnexplained, bury, erase
from annotation.images.operations.fetching import FETCH_KIND, GaveUp, acquire_by_address, fetch, settle_abandoned
from annotation.images.operations.manners import BadManners, NoSuchHost, pause_host, resume_host, set_manners
from annotation.images.operations.originals import hand_out_original
from annotation.images.operations.relooking import relook, settle_all, unlooked
from annotation.images.operations.taking import OtherBytes, original_key, take_in, take_pieces
from annotation.images.operations.tiling import enqueue_tiling, pyramid_key, tile
from annotation.images.operations.wanting import want
from annotation.images.pixels import Refused
from annotation.images.zip_records import ZipRefused

__all__ = [
    "AGAIN",
    "FETCH_KIND",
    "AlreadyTakenDown",
    "Arrival",
    "BadManners",
    "GaveUp",
    "NoSuchHost",
    "NothingToAskAgain",
    "NothingToSplit",
    "OtherBytes",
    "ReasonMissing",
    "Refused",
    "SameCluster",
    "Shelf",
    "TakedownUnexplained",
    "TooManyPairs",
    "ZipRefused",
    "acquire_by_address",
    "acquire_from_folder",
    "acquire_from_prefix",
    "acquire_from_zip",
    "ask_again",
    "bury",
    "enqueue_tiling",
    "erase",
    "fetch",
    "forget",
    "hand_out_original",
    "hold_clusters",
    "join_clusters",
    "original_key",
    "pause_host",
    "pyramid_key",
    "relook",
    "resume_host",
    "set_manners",
    "settle_abandoned",
    "settle_all",
    "split_cluster",
    "take_in",
    "take_pieces",
    "tile",
    "unlooked",
    "want",
]
