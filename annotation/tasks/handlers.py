"""Which verb does which kind of background work: translate the payload, call one verb, translate back."""

from collections.abc import Callable
from typing import Any

from annotation.evaluation.operations import score
from annotation.evaluation.queries import SCORE_KIND
from annotation.generation.operations import make_candidates
from annotation.images.operations import FETCH_KIND, fetch, tile
from annotation.models import Person, Takedown
from annotation.questions.intake import IMPORT_KIND, go_on, promote_rows
from annotation.releases.operations import ERASE_KIND, build_release, finish_takedown
from annotation.releases.queries import BUILD_KIND

Payload = dict[str, Any]
Verb = Callable[[Payload], dict[str, Any]]


def do_tile(payload: Payload) -> dict[str, Any]:
    return tile(image_id=payload["image_id"])


def do_fetch(payload: Payload) -> dict[str, Any]:
    by = Person.objects.get(pk=payload["by_id"])
    found = fetch(acquisition_id=payload["acquisition_id"], round=payload["round"], by=by)
    # A unit that died between the two is done again, asks no host again, and comes here again.
    promote_rows(acquisition_ids=[payload["acquisition_id"]])
    return found


def do_import(payload: Payload) -> dict[str, Any]:
    return go_on(batch_id=payload["batch_id"])


def do_generate(payload: Payload) -> dict[str, Any]:
    return make_candidates(run_id=payload["run_id"], question_id=payload["question_id"])


def do_build(payload: Payload) -> dict[str, Any]:
    built = build_release(release_id=payload["release_id"])
    return {"version": built.version, "manifest_sha256": built.manifest_sha256}


def do_score(payload: Payload) -> dict[str, Any]:
    return {"score": score(score_id=payload["score_id"]).state}


def do_erase(payload: Payload) -> dict[str, Any]:
    takedown = Takedown.objects.select_related("image", "by").get(pk=payload["takedown_id"])
    return finish_takedown(takedown=takedown)


HANDLERS: dict[str, Verb] = {
    FETCH_KIND: do_fetch,
    IMPORT_KIND: do_import,
    "tile": do_tile,
    "generate": do_generate,
    BUILD_KIND: do_build,
    ERASE_KIND: do_erase,
    SCORE_KIND: do_score,
}
