"""Filling an empty installation: sources, pictures, hand-made edits, a generation run, campaigns. Doing it again adds nothing."""

import time
from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Q

from annotation import work
from annotation.demo import material
from annotation.errors import Conflict
from annotation.generation.operations import start_run
from annotation.models import Campaign, GenerationRun, Image, ImportBatch, Person, Question, Source, WorkState, WorkUnit
from annotation.questions import operations as question_operations
from annotation.questions.intake import import_rows
from annotation.questions.recognising import recognised
from annotation.review.operations import open_campaign
from annotation.sources.licences import read_table
from annotation.sources.operations import AlreadyImported, SourceKnown, add_source
from annotation.tasks.work import send

SOURCE = "demo-photos"
PRACTICE, FIRST_LOOK = "Practice (simulated votes)", "First look"
PRACTICE_ORIGINALS = 24
TWIN_DISTANCE = 8
PATIENCE_SECONDS = 180
POLL_SECONDS = 0.2


class WorkStuck(Conflict):
    """Background work did not end in time, or ended without success."""

    code = "work-stuck"


def import_demo(*, by: Person) -> ImportBatch:
    """The ten photographs and 42 questions through the ordinary importer."""
    source = demo_source(by=by)
    try:
        return import_rows(
            source=source,
            path=material.QUESTIONS,
            layout="generic",
            images_dir=material.PHOTOS,
            by=by,
            licences=read_table(material.LICENCES),
        )
    except AlreadyImported as known:
        return known.batch


def demo_source(*, by: Person) -> Source:
    try:
        return add_source(
            key=SOURCE, name="Demonstration photographs", licence="CC-BY-SA-4.0", by=by, images_redistributable=True
        )
    except SourceKnown:
        return Source.objects.get(key=SOURCE)


def tile_pictures() -> int:
    """Wait until the workers have tiled every picture; returns how many there are."""
    finish_units(WorkUnit.objects.filter(kind="tile").values_list("natural_key", flat=True))
    return Image.objects.filter(pyramid_state="tiled").count()


def add_hand_edits(*, by: Person) -> dict[int, material.HandEdit]:
    """The hand-made edits as candidates, by question id."""
    added = {}
    for hand in material.hand_edits():
        original = Question.objects.get(source__key=SOURCE, source_row=hand.original, kind="original")
        known = Question.objects.filter(image=original.image, source_row=hand.key, kind="edited").first()
        added[(known or _add_hand_edit(original, hand, by)).pk] = hand
    return added


def _add_hand_edit(original: Question, hand: material.HandEdit, by: Person) -> Question:
    edit = recognised(original.text, hand.text, hand.reason)
    edit = replace(edit, component=type(edit.component)(hand.component))
    return question_operations.add_edit(original=original, edit=edit, by=by, engine="by hand", source_row=hand.key)


def generate(*, by: Person) -> GenerationRun:
    """One run of the offline engine over all originals, done by the workers."""
    run = GenerationRun.objects.filter(engine="offline").first()
    run = run or start_run(by=by, engine="offline", limit=1000, seed=11, wanted=1)
    finish_units(WorkUnit.objects.filter(natural_key__startswith=f"run:{run.pk}:").values_list("natural_key", flat=True))
    run.refresh_from_db()
    return run


def finish_units(keys: Iterable[str]) -> None:
    """Send the workers to these units and wait; raises WorkStuck with the first reason."""
    wanted = WorkUnit.objects.filter(natural_key__in=list(keys))
    send(work.sweep())
    until = time.monotonic() + PATIENCE_SECONDS
    while wanted.filter(state__in=[WorkState.READY, WorkState.LEASED]).exists():
        if time.monotonic() > until:
            raise WorkStuck("The workers did not finish in time. Look at the worker's log in the state folder.")
        time.sleep(POLL_SECONDS)
    parked = wanted.filter(state=WorkState.PARKED).first()
    if parked is not None:
        raise WorkStuck(f"{parked.natural_key} failed: {parked.reason}")


def open_practice(*, by: Person, people: Iterable[Person], edits: Iterable[int]) -> Campaign:
    """A campaign of the hand-made edits and as many originals, for the simulated annotators."""
    edited = list(Question.objects.filter(pk__in=list(edits)).select_related("edit", "control"))
    twins = {question.parent_id for question in edited}
    rows = Question.objects.filter(kind="original").select_related("edit", "control")
    originals = sorted(rows, key=lambda question: (question.pk not in twins, question.pk))[:PRACTICE_ORIGINALS]
    return _campaign(PRACTICE, [*originals, *edited], by, people)


def open_first_look(*, by: Person, people: Iterable[Person]) -> Campaign:
    """A campaign of everything that is not in practice, for people."""
    rows = Question.objects.filter(Q(kind="original") | Q(kind="edited", state="candidate"))
    fresh = rows.exclude(items__campaign__name=PRACTICE).select_related("edit", "control").order_by("pk")
    return _campaign(FIRST_LOOK, list(fresh), by, people)


def _campaign(name: str, questions: list[Question], by: Person, people: Iterable[Person]) -> Campaign:
    known = Campaign.objects.filter(name=name).first()
    if known is not None:
        return known
    # Small teams relax the distance between twins first; three people cannot give a fourth vote for relation edits.
    policy = {"extra_relation_votes": 0, "twin_distance": TWIN_DISTANCE}
    return open_campaign(name=name, questions=questions, people=people, by=by, guideline=material.GUIDELINE, seed=5, **policy)
