"""From decisions to a release's rows: what the builder sees of each, and what the release says of each.

Reads attributes of rows that were loaded before; asks the database nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

from annotation.models import UNKNOWN_LICENCE, Decision, Kind, Verdict
from annotation.questions.answers import same_answer
from annotation.releases.attributions import SourceFacts
from annotation.releases.export import ImageFacts, Row
from annotation.releases.queries import Cut, licence_of
from annotation.releases.splits import CutRow, Placed

SIMULATED = "simulated"


def cut_rows(decisions: Iterable[Decision], clusters: Mapping[int, str]) -> list[CutRow]:
    """The decisions as the builder sees them."""
    return [_cut_row(decision, clusters) for decision in decisions]


def release_rows(placed: Iterable[Placed], cut: Cut) -> list[Row]:
    """The rows of a release, in the order of their places."""
    decisions = {decision.question.key: decision for decision in cut.decisions}
    return [_row(place, decisions[place.row.question], cut) for place in placed]


def _cut_row(decision: Decision, clusters: Mapping[int, str]) -> CutRow:
    question = decision.question
    return CutRow(
        question=question.key,
        original=_original_key(decision),
        image=question.image.sha256,
        cluster=_cluster(decision, clusters),
        text_hash=question.text_hash,
        source=question.source.key,
        edited=question.kind == Kind.EDITED,
        verdict=cast(Literal["answerable", "unanswerable"], str(decision.verdict)),
        component=question.edit.component if question.edit else "",
    )


def _row(place: Placed, decision: Decision, cut: Cut) -> Row:
    question, edit = decision.question, decision.question.edit
    absent = decision.verdict == Verdict.UNANSWERABLE
    return Row(
        id=question.key,
        split=place.split,
        role=place.role,
        pair=place.pair,
        original=place.row.original,
        image=_image(decision, cut),
        question=question.text,
        options=list(question.options),
        prompt_setting=str(question.prompt_setting),
        answers=[] if absent else answers_of(decision),
        is_unanswerable=absent,
        accepts_refusal=accepts_refusal(decision),
        reason=edit.reason if edit and absent else "",
        component=str(edit.component) if edit else "",
        operation=str(edit.operation) if edit else "",
        data_source=question.source.key,
        licence=licence_of(decision),
        attribution=question.image.attribution or question.source.citation,
        decided_by=SIMULATED if _simulated(decision, cut) else str(decision.method),
    )


def answers_of(decision: Decision) -> list[str]:
    """Right answers of an answerable row, the decision's first. The source's own stay beside it where they agree with
    it, and are dropped where people found another answer."""
    question = decision.question
    if not decision.answer:
        return list(question.answers)
    agreeing = [a for a in question.answers if same_answer(decision.answer, a, options=question.options)]
    return list(dict.fromkeys([*agreeing, decision.answer])) if agreeing else [decision.answer]


def accepts_refusal(decision: Decision) -> bool:
    """Whether an edit was decided as a zero count in a campaign where 0 and a refusal are both right."""
    both = decision.numbers.get("zero_count") == "both" and decision.question.kind == Kind.EDITED
    return both and decision.verdict == Verdict.ANSWERABLE and same_answer(decision.answer, "0")


def _simulated(decision: Decision, cut: Cut) -> bool:
    by_program = decision.by is not None and decision.by.simulated
    return by_program or not cut.simulated_votes.isdisjoint(decision.votes)


def _image(decision: Decision, cut: Cut) -> ImageFacts:
    question: Any = decision.question
    image, source = question.image, question.source
    origin = cut.origins.get((image.pk, source.pk), "")
    plain = origin and "://" not in origin
    path = origin.removeprefix("./") if plain else f"{image.sha256}.{image.format}"
    return ImageFacts(
        path=f"{source.key}/{path}",
        origin=origin,
        sha256=image.sha256,
        width=image.width,
        height=image.height,
        cluster=_cluster(decision, cut.clusters),
    )


def _cluster(decision: Decision, clusters: Mapping[int, str]) -> str:
    """The sha256 of the oldest copy: a name that means something outside."""
    image = decision.question.image
    return image.sha256 if image.cluster is None else clusters[image.cluster]


def _original_key(decision: Decision) -> str:
    question = decision.question
    return question.parent.key if question.parent else question.key


def source_facts(cut: Cut) -> dict[str, SourceFacts]:
    """What the release says of its sources, by key."""
    sources = {decision.question.source.key: decision.question.source for decision in cut.decisions}
    return {
        key: SourceFacts(
            name=source.name,
            homepage=source.homepage,
            citation=source.citation,
            images_redistributable=source.images_redistributable,
            ruling=cut.rulings.get(source.pk, "") if source.licence == UNKNOWN_LICENCE else "",
        )
        for key, source in sources.items()
    }
