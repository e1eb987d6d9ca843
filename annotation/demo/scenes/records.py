"""The two text files beside the pictures: the truth as one JSON object, and questions as rows that importers read. Pure.

docs/scenes.md says what each field means; SCHEMA is raised when one changes its meaning.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from annotation.demo.scenes.asking import Asked
from annotation.demo.scenes.families import FAMILIES
from annotation.demo.scenes.scene import Scene, Thing
from annotation.demo.scenes.truth import Attribute, Entity, Query, Relation, Tuple

SCHEMA = 1
SOURCE = "generated-scenes"
ATTRIBUTES = {"colour": "color", "pattern": "pattern", "material": "material", "label": "label"}
TUPLES: dict[str, type[Tuple]] = {"entity": Entity, "attribute": Attribute, "relation": Relation}


def name_of(scene: Scene) -> str:
    """The picture's file name: the plan's whole identity, but for its height."""
    return f"{scene.family}-{scene.seed}-{scene.width}.jpg"


def truth_record(scene: Scene, asked: tuple[Asked, ...], sha256: str) -> dict[str, Any]:
    """Everything that is known about one picture."""
    here = {thing.kind for thing in scene.things}
    return {
        "image": name_of(scene),
        "image_sha256": sha256,
        "family": scene.family,
        "seed": scene.seed,
        "version": scene.version,
        "width": scene.width,
        "height": scene.height,
        "absent_kinds": sorted(set(FAMILIES[scene.family].kinds) - here),
        "objects": [_object(scene, thing) for thing in scene.things],
        "questions": [_judged(scene, number, one) for number, one in enumerate(asked)],
    }


def _object(scene: Scene, thing: Thing) -> dict[str, Any]:
    attributes = {name: value for key, name in ATTRIBUTES.items() if (value := getattr(thing, key))}
    relations = {"on": thing.on, "in": thing.inside, "held_by": thing.held_by}
    return {
        "id": thing.id,
        "kind": thing.kind,
        "attributes": attributes,
        "box": list(thing.box),
        "area_share": round(thing.box.area / scene.area, 8),
        "visible_share": thing.seen,
        "relations": {name: other for name, other in relations.items() if other is not None},
    }


def _judged(scene: Scene, number: int, asked: Asked) -> dict[str, Any]:
    return {
        "id": _key(scene, number),
        "text": asked.text,
        "asks": asked.query.asks,
        "about": asked.query.about,
        "against": asked.query.against,
        "tuples": [_tuple_record(one) for one in asked.query.tuples],
        "answer": asked.verdict.answer,
        "evidence": list(asked.verdict.evidence),
    }


def _tuple_record(one: Tuple) -> dict[str, str]:
    return {"type": type(one).__name__.lower(), **asdict(one)}


def query_of(judged: dict[str, Any]) -> Query:
    """A question's tuples as they stand in truth.json, to be judged again, edited or not."""
    tuples = tuple(TUPLES[one["type"]](**{key: value for key, value in one.items() if key != "type"}) for one in judged["tuples"])
    return Query(tuples, judged["asks"], judged["about"], judged["against"])


def _key(scene: Scene, number: int) -> str:
    return f"{scene.family}-{scene.seed}-{number + 1:02d}"


def question_rows(scene: Scene, asked: tuple[Asked, ...], sha256: str) -> Iterator[dict[str, Any]]:
    """One row per question in the plain layout (`generic`), its evidence as boxes."""
    for number, one in enumerate(asked):
        row: dict[str, Any] = {
            "id": _key(scene, number),
            "image": name_of(scene),
            "image_sha256": sha256,
            "question": one.text,
            "answers": [one.verdict.answer, *(word for word in one.accepted if word != one.verdict.answer)],
            "boxes": [list(scene.thing(key).box) for key in one.verdict.evidence],
            "family": one.family,
            "data_source": SOURCE,
        }
        yield row | ({"options": list(one.options)} if one.options else {})
