"""A ballot: what a person sends as a vote, checked before it touches the database (pure).

Evidence is asymmetric: an answer needs a place that shows it; "absent" needs a failed premise and either a place where
it fails, a confined region, a closed reason, or a search that covered the picture.
"""

from dataclasses import dataclass
from typing import Any

from annotation.errors import Invalid

VERDICTS = ("answerable", "unanswerable", "ambiguous")
EVIDENCE = ("box", "points", "whole", "region", "none")
PREMISES = ("object", "relation", "attribute", "unseen")
CODES = ("several_referents", "vague_wording", "outside_knowledge", "ungrammatical", "wrong_original")
WAIVERS = ("scene_excludes", "large_target", "not_pictorial")
SHAPES_AT_MOST = 200
TEXT_AT_MOST = 2000
FARTHEST = 1e9  # pixels; no picture is larger, and what is not a number is not smaller either

Box = tuple[float, float, float, float]
Point = tuple[float, float]


class BallotInvalid(Invalid):
    """A field of the ballot is missing, unknown or out of range."""

    code = "ballot-invalid"


class EvidenceMissing(Invalid):
    """The verdict came without what it must rest on."""

    code = "evidence-missing"


@dataclass(frozen=True, slots=True)
class Ballot:
    """A checked vote. Boxes and points are in pixels of the upright original, inside the picture."""

    verdict: str
    answer: str = ""
    evidence_kind: str = "none"
    boxes: tuple[Box, ...] = ()
    points: tuple[Point, ...] = ()
    waiver: str = ""
    premise: str = ""
    code: str = ""
    comment: str = ""
    confidence: int | None = None
    active_ms: int = 0
    trace: Any = ()

    def evidence(self) -> dict[str, Any]:
        """The evidence as it is stored."""
        return {"boxes": [list(box) for box in self.boxes], "points": [list(point) for point in self.points]}


def read_ballot(raw: dict[str, Any], *, width: int, height: int) -> Ballot:
    """Check types, ranges and closed lists against a picture of that size; raises BallotInvalid naming the field."""
    evidence = raw.get("evidence") or {"kind": "none"}
    if not isinstance(evidence, dict):
        raise BallotInvalid("Evidence must be an object with a kind.", field="evidence")
    verdict = _choice(raw, "verdict", VERDICTS)
    return Ballot(
        verdict=verdict,
        answer=_text(raw, "answer") if verdict == "answerable" else "",
        evidence_kind=_choice(evidence, "kind", EVIDENCE, named="evidence"),
        boxes=tuple(_box(box, width, height) for box in _shapes(evidence, "boxes")),
        points=tuple(_point(point, width, height) for point in _shapes(evidence, "points")),
        waiver=_choice(evidence, "reason", WAIVERS, named="evidence", optional=True),
        premise=_choice(raw, "premise", PREMISES, optional=True) if verdict == "unanswerable" else "",
        code=_choice(raw, "code", CODES, optional=True) if verdict == "ambiguous" else "",
        comment=_text(raw, "comment"),
        confidence=_whole(raw, "confidence", 1, 5),
        active_ms=_whole(raw, "active_ms", 0, 86_400_000) or 0,
        trace=raw.get("trace") or [],
    )


def check_evidence(ballot: Ballot, *, seen_share: float, needed_share: float) -> None:
    """Refuse a verdict without its evidence (EvidenceMissing). Shares are of the picture's area, 0 to 1."""
    checks = {"answerable": _check_answerable, "unanswerable": _check_unanswerable, "ambiguous": _check_ambiguous}
    checks[ballot.verdict](ballot, seen_share, needed_share)


def _check_answerable(ballot: Ballot, seen_share: float, needed_share: float) -> None:
    if not ballot.answer:
        raise EvidenceMissing("Write the answer, or choose one of the options.", field="answer")
    shown = {"box": ballot.boxes, "points": ballot.points, "whole": True}.get(ballot.evidence_kind)
    if not shown:
        raise EvidenceMissing(
            "Show where the answer is: draw a box, click the counted things, or say that the whole picture shows it.",
            field="evidence",
        )


def _check_unanswerable(ballot: Ballot, seen_share: float, needed_share: float) -> None:
    if not ballot.premise:
        raise EvidenceMissing(
            "Say which premise fails: the object, the relation, the attribute, or not visible.", field="premise"
        )
    if ballot.evidence_kind in ("box", "region") and ballot.boxes:
        return
    if ballot.waiver or seen_share >= needed_share:
        return
    raise EvidenceMissing(
        f"You have searched {seen_share:.0%} of the picture closely; {needed_share:.0%} are needed. Search on, draw a box "
        "where the premise fails, or give the reason why no search is needed.",
        field="evidence",
    )


def _check_ambiguous(ballot: Ballot, seen_share: float, needed_share: float) -> None:
    if not ballot.code:
        raise EvidenceMissing("Say why the question is ambiguous.", field="code")


def _choice(raw: dict[str, Any], name: str, known: tuple[str, ...], *, named: str = "", optional: bool = False) -> str:
    value = raw.get(name)
    if optional and value in (None, ""):
        return ""
    if not isinstance(value, str) or value not in known:
        raise BallotInvalid(f"{name} must be one of {', '.join(known)}.", field=named or name)
    return value


def _text(raw: dict[str, Any], name: str) -> str:
    value = raw.get(name) or ""
    if not isinstance(value, str) or len(value) > TEXT_AT_MOST:
        raise BallotInvalid(f"{name} must be text of at most {TEXT_AT_MOST} characters.", field=name)
    if "\x00" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise BallotInvalid(f"{name} holds characters that cannot be stored; type it again.", field=name)
    return value.strip()


def _whole(raw: dict[str, Any], name: str, least: int, most: int) -> int | None:
    value = raw.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BallotInvalid(f"{name} must be a whole number from {least} to {most}.", field=name)
    return value


def _shapes(evidence: dict[str, Any], name: str) -> list[Any]:
    value = evidence.get(name) or []
    if not isinstance(value, list) or len(value) > SHAPES_AT_MOST:
        raise BallotInvalid(f"{name} must be a list of at most {SHAPES_AT_MOST} entries.", field="evidence")
    return value


def _numbers(value: Any, count: int, what: str) -> list[float]:
    fine = isinstance(value, list) and len(value) == count
    if not fine or not all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) < FARTHEST for n in value):
        raise BallotInvalid(f"A {what} is a list of {count} numbers.", field="evidence")
    return [float(n) for n in value]


def _box(value: Any, width: int, height: int) -> Box:
    """A box clipped to the picture; one without area inside it is refused."""
    x1, y1, x2, y2 = _numbers(value, 4, "box")
    left, right = max(0.0, min(x1, x2)), min(float(width), max(x1, x2))
    top, bottom = max(0.0, min(y1, y2)), min(float(height), max(y1, y2))
    if right - left < 1 or bottom - top < 1:
        raise BallotInvalid("A box must cover at least one pixel of the picture.", field="evidence")
    return (left, top, right, bottom)


def _point(value: Any, width: int, height: int) -> Point:
    x, y = _numbers(value, 2, "point")
    if not (0 <= x <= width and 0 <= y <= height):
        raise BallotInvalid("A point lies outside the picture.", field="evidence")
    return (x, y)
