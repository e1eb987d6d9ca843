"""Which verb does which kind of background work: translate the payload, call one verb, translate back."""

from collections.abc import Callable
from typing import Any

from annotation.generation.operations import make_candidates
from annotation.images.operations import tile

Payload = dict[str, Any]
Verb = Callable[[Payload], dict[str, Any]]


def do_tile(payload: Payload) -> dict[str, Any]:
    return tile(image_id=payload["image_id"])


def do_generate(payload: Payload) -> dict[str, Any]:
    return make_candidates(run_id=payload["run_id"], question_id=payload["question_id"])


HANDLERS: dict[str, Verb] = {"tile": do_tile, "generate": do_generate}
