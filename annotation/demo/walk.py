"""The whole pipeline once, step by step: what `make demo-check` walks. Every step goes through the product's own verbs."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation import journal
from annotation.adjudication.operations import adjudicate
from annotation.demo import material, people, seeding, voting
from annotation.demo.simulated import Truth
from annotation.errors import Conflict
from annotation.evaluation import operations as evaluation
from annotation.evaluation.queries import SCORE_KIND, newest_score
from annotation.models import Campaign, Decision, Person, Release, ReleaseRow, ReviewItem, Submission, WorkUnit
from annotation.releases import operations as releases
from annotation.releases.plans import DEMO_PLAN, plan_to_json
from annotation.wording import counted

VERSION = "0.1-check"


class StepFailed(Conflict):
    """A step ended, but not with what it should have."""

    code = "step-failed"


@dataclass(slots=True)
class Walk:
    """What the steps hand on to each other."""

    cast: dict[str, Person] = field(default_factory=dict)
    edits: dict[int, material.HandEdit] = field(default_factory=dict)
    campaign: Campaign | None = None
    truths: dict[str, Truth] = field(default_factory=dict)
    release: Release | None = None
    submission: Submission | None = None

    @property
    def maintainer(self) -> Person:
        return self.cast["max"]


Step = Callable[[Walk], str]


def walk() -> Iterator[tuple[str, Step]]:
    """The steps in order, each with the name it is reported by."""
    yield from [
        ("people", seed_people),
        ("import", import_questions),
        ("tiles", tile),
        ("candidates", make_candidates),
        ("votes", vote),
        ("decisions", count_decisions),
        ("adjudication", adjudicate_one),
        ("journal", seal_journal),
        ("release", build_release),
        ("verify", verify_release),
        ("submission", score_submission),
    ]


def seed_people(state: Walk) -> str:
    state.cast = people.seed_people()
    return f"{len(people.CAST)} people can log in, {len(people.SIMULATED)} simulated annotators"


def import_questions(state: Walk) -> str:
    batch = seeding.import_demo(by=state.maintainer)
    read = counted(batch.rows_read, "row")
    return f"{read} read, {batch.rows_accepted} accepted, {batch.rows_known} known, {batch.rows_rejected} rejected"


def tile(state: Walk) -> str:
    return f"{counted(seeding.tile_pictures(), 'picture')} tiled by the workers"


def make_candidates(state: Walk) -> str:
    state.edits = seeding.add_hand_edits(by=state.maintainer)
    run = seeding.generate(by=state.maintainer)
    made = run.questions.filter(state="candidate").count()
    rejected = run.questions.filter(state="rejected").count()
    if not made:
        raise StepFailed("The offline engine made no candidate.")
    return f"{made} by the offline engine ({rejected} rejected by screening), {len(state.edits)} by hand"


def vote(state: Walk) -> str:
    simulated = [state.cast[name] for name in people.SIMULATED]
    state.campaign = seeding.open_practice(by=state.maintainer, people=simulated, edits=state.edits)
    state.truths = voting.truths_of(state.campaign, {pk: hand.truth for pk, hand in state.edits.items()})
    cast = voting.vote_all(campaign=state.campaign, people=simulated, truths=state.truths)
    return f"{counted(cast, 'vote')} by {counted(len(simulated), 'simulated annotator')} on {counted(len(state.truths), 'item')}"


def count_decisions(state: Walk) -> str:
    made = Decision.objects.filter(item__campaign=state.campaign)
    right = sum(
        decision.verdict == state.truths[decision.item.key].verdict for decision in made.select_related("item") if decision.item
    )
    disputed = ReviewItem.objects.filter(campaign=state.campaign, state="disputed").count()
    still_open = ReviewItem.objects.filter(campaign=state.campaign, state="open").count()
    if still_open:
        raise StepFailed(f"Everybody has voted, and still open: {counted(still_open, 'item')}.")
    return f"{len(made)} decided ({right} as the truth has it), {disputed} disputed"


def adjudicate_one(state: Walk) -> str:
    item = ReviewItem.objects.filter(campaign=state.campaign, state="disputed").order_by("pk").first()
    if item is None:
        raise StepFailed("No item is disputed, so there is nothing to adjudicate.")
    truth = state.truths[item.key]
    whole = [0, 0, item.question.image.width, item.question.image.height]
    shown = {"kind": "box", "boxes": [list(truth.box) if truth.box else whole]}
    answers = {"answer": truth.answer} if truth.verdict == "answerable" else {"premise": truth.premise}
    decision = adjudicate(
        item_key=item.key, by=state.cast["rae"], verdict=truth.verdict, comment="Looked at the place.", evidence=shown, **answers
    )
    return f"1 of the disputed decided by rae: {decision.verdict} ({item.dispute_reason})"


def seal_journal(state: Walk) -> str:
    sealed = journal.seal()
    broken = journal.first_broken_checkpoint()
    if broken is not None:
        raise StepFailed(f"The journal no longer supports the checkpoint at entry {broken.last_entry}.")
    return f"{counted(sealed.entries if sealed else 0, 'entry', 'entries')} sealed, all checkpoints hold"


def build_release(state: Walk) -> str:
    known = Release.objects.filter(version=VERSION).first()
    drafted = known or releases.draft_release(version=VERSION, plan=plan_to_json(DEMO_PLAN), by=state.maintainer)
    if drafted.state in ("draft", "building"):
        unit = releases.request_build(release_key=drafted.key, by=state.maintainer)
        seeding.finish_units([unit.natural_key])
    state.release = Release.objects.get(pk=drafted.pk)
    if state.release.state == "built":
        releases.publish_release(release_key=state.release.key, by=state.maintainer)
    rows, files = state.release.rows.count(), state.release.artifacts.count()
    return f"{VERSION}: {counted(rows, 'row')}, {counted(files, 'file')}, manifest {state.release.manifest_sha256[:12]}"


def verify_release(state: Walk) -> str:
    """As a stranger would: the folder, its own verifier, and an interpreter without anything installed."""
    assert state.release is not None
    with tempfile.TemporaryDirectory() as folder:
        files = releases.export_release(release=state.release, folder=Path(folder))
        command = [sys.executable, "-I", "-S", str(Path(folder) / "verify_release.py"), folder]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        if ended.returncode:
            raise StepFailed(f"The release does not verify: {ended.stdout}{ended.stderr}")
        checks = ended.stdout.count("passed")
    return f"{counted(len(files), 'file')} exported, {counted(checks, 'check')} passed by the release's own verifier"


def score_submission(state: Walk) -> str:
    """A toy model: right on every original, and it refuses every second unanswerable question."""
    assert state.release is not None
    lines = [json.dumps(_prediction(row)) for row in state.release.rows.order_by("position")]
    predictions = ("\n".join(lines) + "\n").encode()
    submission = evaluation.submit(release_key=state.release.key, model="toy", predictions=predictions, by=state.maintainer)
    seeding.finish_units(
        WorkUnit.objects.filter(natural_key__startswith=f"{SCORE_KIND}:{submission.key}:").values_list("natural_key", flat=True)
    )
    score = newest_score(submission)
    if score is None or score.state != "finished":
        raise StepFailed("The submission was not scored.")
    return f"{counted(len(lines), 'prediction')} scored: " + _figures(score.metrics)


def _prediction(row: ReleaseRow) -> dict[str, object]:
    if row.role == "edit":
        refuses = row.position % 2 == 0
        return {"row_id": row.row_id, "prediction": "The picture does not show that." if refuses else "red", "refused": refuses}
    return {"row_id": row.row_id, "prediction": row.content["answers"][0], "refused": False}


def _figures(metrics: dict[str, Any]) -> str:
    overall = metrics["overall"]["figures"]
    names = ("accuracy", "refusal_recall", "over_refusal", "dual_accuracy")
    return ", ".join(f"{name.replace('_', ' ')} {_value(overall[name])}" for name in names)


def _value(figure: dict[str, Any]) -> str:
    return "undefined" if figure["value"] is None else f"{figure['value']:.2f}"
