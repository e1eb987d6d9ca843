"""Rows for tests, one function per noun. Hidden fields carry a canary unless a test gives its own value."""

import itertools
from typing import Any

from django.db.models.functions import Now

from annotation.hashing import normalised_text, sha256_hex
from annotation.models import (
    Assignment,
    Campaign,
    Control,
    Edit,
    Guideline,
    Image,
    Membership,
    Person,
    Question,
    ReviewItem,
    Source,
    Vote,
)
from tests.canary import canary
from tests.people import make_person

numbers = itertools.count(1)


def make_source(key: str = "demo-photos", **values: Any) -> Source:
    defaults = {"name": key.title(), "licence": "CC-BY-4.0", "images_redistributable": True}
    return Source.objects.get_or_create(key=key, defaults={**defaults, **values})[0]


def make_image(**values: Any) -> Image:
    number = next(numbers)
    defaults = {
        "sha256": sha256_hex(f"image {number}".encode()),
        "width": 2400,
        "height": 1600,
        "format": "jpeg",
        "byte_size": 1000,
        "source": values.pop("source", None) or make_source(),
        "storage_key": f"originals/{number}",
    }
    return Image.objects.create(**{**defaults, **values})


def make_original(text: str = "", **values: Any) -> Question:
    text = text or f"What is the color of the kettle number {next(numbers)}?"
    image = values.pop("image", None) or make_image()
    defaults = {
        "image": image,
        "source": image.source,
        "text": text,
        "text_hash": sha256_hex(normalised_text(text).encode()),
        "kind": "original",
        "state": "active",
        "family": "attribute",
        "answers": [canary("reference-answer")],
        "by": values.pop("by", None) or make_person("max"),
    }
    return Question.objects.create(**{**defaults, **values})


def make_edit(original: Question, old: str = "kettle", new: str = "teapot", **values: Any) -> Question:
    """An edited twin: `old` is replaced by `new` once."""
    start = original.text.index(old)
    edit = Edit.objects.create(
        component=values.pop("component", "object"),
        operation="replace",
        original_text=original.text,
        span_start=start,
        span_end=start + len(old),
        old_phrase=old,
        new_phrase=new,
        reason=values.pop("reason", canary("reason-of-edit")),
        engine="hand",
    )
    text = original.text.replace(old, new, 1)
    return Question.objects.create(
        image=original.image,
        source=original.source,
        text=text,
        text_hash=sha256_hex(normalised_text(text).encode()),
        kind="edited",
        state=values.pop("state", "candidate"),
        family=original.family,
        parent=original,
        edit=edit,
        by=values.pop("by", None) or original.by,
        **values,
    )


def make_control(question: Question, truth: str = "unanswerable", **values: Any) -> Control:
    return Control.objects.create(
        question=question, truth=truth, note=canary("control-note"), answer=canary("control-answer"), **values
    )


def make_campaign(*people: Person, **values: Any) -> Campaign:
    name = values.pop("name", f"Campaign {next(numbers)}")
    campaign = Campaign.objects.create(name=name, by=values.pop("by", None) or make_person("max"), **values)
    Guideline.objects.create(campaign=campaign, version=1, text="Look before you answer.", by=campaign.by)
    for person in people:
        Membership.objects.create(campaign=campaign, person=person)
    return campaign


def make_item(campaign: Campaign, question: Question | None = None, **values: Any) -> ReviewItem:
    question = question or make_original()
    defaults = {"pair": question.parent_id or question.pk, "lane": 0, "priority": 1, "shuffle_key": next(numbers), "needed": 3}
    return ReviewItem.objects.create(campaign=campaign, question=question, **{**defaults, **values})


def make_assignment(item: ReviewItem, person: Person, **values: Any) -> Assignment:
    return Assignment.objects.create(item=item, person=person, pair=item.pair, **{"leased_until": Now(), **values})


def make_vote(item: ReviewItem, person: Person, verdict: str = "unanswerable", **values: Any) -> Vote:
    """A stored vote, written without the verb: for reading sides. The item's counter moves along."""
    assignment = values.pop("assignment", None) or make_assignment(item, person, state="submitted")
    premises = {"premise": "object"} if verdict == "unanswerable" else {}
    answers = {"answer": "green", "evidence_kind": "whole"} if verdict == "answerable" else {"evidence_kind": "none"}
    codes = {"code": "vague_wording"} if verdict == "ambiguous" else {}
    defaults = {**premises, **answers, **codes, "round": item.round, "comment": canary("comment-of-another")}
    vote = Vote.objects.create(
        assignment=assignment, item=item, person=person, pair=item.pair, verdict=verdict, **{**defaults, **values}
    )
    item.voted += 1
    item.save(update_fields=["voted"])
    return vote
