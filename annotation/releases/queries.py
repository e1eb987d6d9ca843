"""What a release is made from, and what is known of releases."""

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, QuerySet
from django.utils.translation import gettext as _

from annotation.errors import Missing
from annotation.models import (
    UNKNOWN_LICENCE,
    Acquisition,
    AcquisitionState,
    Artifact,
    Checkpoint,
    Decision,
    Erratum,
    Image,
    ItemState,
    JournalEntry,
    Kind,
    PyramidState,
    QuestionState,
    Release,
    ReleaseRow,
    ReleaseState,
    ReviewItem,
    Source,
    Verdict,
    Vote,
    WorkUnit,
)
from annotation.sources.queries import standing_rulings

BUILD_KIND = "release.build"
SHOWN = 20


class ReleaseUnknown(Missing):
    """There is no release of this key or version."""

    code = "release-unknown"


@dataclass(frozen=True, slots=True)
class Cut:
    """All that a build reads, as of one moment: decisions that may enter a release (with question, image, source, edit),
    what pictures are called by their sources, which votes were cast by programs, the last sealed journal position, how
    many decisions were left out for which reason, why sources without a known licence are in it all the same (by id), and
    what clusters of copies are called (by number)."""

    decisions: list[Decision]
    origins: dict[tuple[int, int], str]
    simulated_votes: frozenset[int]
    journal: dict[str, Any] | None
    left_out: dict[str, int] = field(default_factory=dict)
    rulings: dict[int, str] = field(default_factory=dict)
    clusters: dict[int, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """What a release keeps of its cut."""
        ids = sorted(decision.pk for decision in self.decisions)
        return {"decisions": ids, "journal": self.journal, "left_out": self.left_out}


def current_cut() -> Cut:
    """Current decisions that a release may hold. Left out are controls, ambiguous verdicts, withdrawn questions,
    mirrors (no plan takes them yet), and rows whose licence is unknown, unless a maintainer ruled on their source in
    writing. Called inside a snapshot."""
    rulings = {pk: ruling.reason for pk, ruling in standing_rulings().items() if ruling.allowed}
    rows = Decision.objects.filter(superseded_by__isnull=True).select_related(
        "by", "question__image", "question__source", "question__edit", "question__parent", "question__control"
    )
    taken, left_out = [], dict.fromkeys(("control", "ambiguous", "withdrawn", "mirror", "unlicensed"), 0)
    for decision in rows.order_by("pk"):
        reason = why_left_out(decision, rulings)
        if reason:
            left_out[reason] += 1
        else:
            taken.append(decision)
    return Cut(taken, _origins(taken), _simulated_votes(), _last_seal(), left_out, rulings, _cluster_names(taken))


def why_left_out(decision: Decision, rulings: Container[int] = ()) -> str:
    """Why a current decision may not enter a release; "" if it may. `rulings` are ids of sources that were allowed."""
    question = decision.question
    reasons = {
        "control": hasattr(question, "control"),
        "ambiguous": decision.verdict == Verdict.AMBIGUOUS,
        "withdrawn": question.state in (QuestionState.WITHDRAWN, QuestionState.REJECTED),
        "mirror": question.kind == Kind.MIRROR,
        "unlicensed": licence_of(decision) == UNKNOWN_LICENCE and question.source_id not in rulings,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def unlicensed_sources(release: Release) -> list[Source]:
    """Sources of a release's rows that have no known licence and, by now, no standing word that allows them."""
    allowed = [pk for pk, ruling in standing_rulings().items() if ruling.allowed]
    found = release.rows.filter(content__licence=UNKNOWN_LICENCE).values("question__source")
    return list(Source.objects.filter(pk__in=found).exclude(pk__in=allowed).order_by("name"))


def _cluster_names(decisions: list[Decision]) -> dict[int, str]:
    """What clusters are called outside: the sha256 of their oldest picture, by whose number they are known here."""
    numbers = {decision.question.image.cluster for decision in decisions} - {None}
    return dict(Image.objects.filter(pk__in=numbers).values_list("pk", "sha256"))


def licence_of(decision: Decision) -> str:
    """The picture's own licence where it has one, else that of the question's source."""
    question = decision.question
    return question.image.licence or question.source.licence


def releases() -> QuerySet[Release]:
    """All releases, newest first, with their number of rows as `row_count`."""
    return Release.objects.select_related("by", "parent").annotate(row_count=Count("rows")).order_by("-pk")


def release_by_key(key: str) -> Release:
    """One release by its public key. Raises ReleaseUnknown."""
    return _one(Release.objects.filter(key=key))


def release_by_version(version: str) -> Release:
    """One release by its version. Raises ReleaseUnknown."""
    return _one(Release.objects.filter(version=version))


def counts_of(release: Release) -> dict[str, dict[str, int]]:
    """Rows by split and role."""
    found: dict[str, dict[str, int]] = {}
    rows = release.rows.values_list("split", "role").annotate(Count("pk")).order_by("split", "role")
    for split, role, number in rows:
        found.setdefault(split, {})[role] = number
    return found


def straddling_clusters(release: Release) -> int:
    """How many clusters of copies, as they are now, have rows in more than one split of a release."""
    rows = release.rows.exclude(question__image__cluster=None).values("question__image__cluster")
    return rows.annotate(splits=Count("split", distinct=True)).filter(splits__gt=1).count()


def withdrawn_rows(release: Release) -> int:
    """How many rows of a release have a question that is withdrawn by now."""
    return release.rows.filter(question__state=QuestionState.WITHDRAWN).count()


def rows_of_image(image: Image) -> list[tuple[Release, list[str]]]:
    """The releases that have rows about a picture, oldest first, with the ids of those rows."""
    found: dict[Release, list[str]] = {}
    rows = ReleaseRow.objects.filter(question__image=image).select_related("release").order_by("release_id", "position")
    for row in rows:
        found.setdefault(row.release, []).append(row.row_id)
    return list(found.items())


@dataclass(frozen=True, slots=True)
class Reach:
    """What a takedown of a picture would touch. `published` are (version, rows) that get an erratum; `unpublished` are
    versions that can no longer be published; `copies` are the keys of some pictures in its cluster, which stay."""

    questions: int
    items: int
    votes: int
    published: list[tuple[str, int]]
    unpublished: list[str]
    names: list[str]
    copies: list[str]


def reach_of(image: Image) -> Reach:
    """What a takedown of this picture would touch now."""
    found = rows_of_image(image)
    out = (ReleaseState.PUBLISHED, ReleaseState.WITHDRAWN)
    copies = Image.objects.filter(cluster=image.cluster).exclude(pk=image.pk).exclude(pyramid_state=PyramidState.ERASED)
    return Reach(
        questions=image.questions.exclude(state=QuestionState.WITHDRAWN).count(),
        items=ReviewItem.objects.filter(question__image=image, state__in=[ItemState.OPEN, ItemState.DISPUTED]).count(),
        votes=Vote.objects.filter(item__question__image=image).count(),
        published=[(release.version, len(rows)) for release, rows in found if release.state in out],
        unpublished=[release.version for release, _rows in found if release.state not in out],
        names=list(image.acquisitions.order_by("pk").values_list("name", flat=True)[:SHOWN]),
        copies=list(copies.order_by("pk").values_list("key", flat=True)[:SHOWN]) if image.cluster else [],
    )


def errata_of(release: Release) -> QuerySet[Erratum]:
    """What was found wrong with rows of a release since it was published, oldest first."""
    return release.errata.order_by("pk")


def errata_json(release: Release) -> dict[str, Any]:
    """The errata of a release as they are handed out beside it."""
    errata = [
        {"id": one.key, "noted_at": one.created_at.isoformat(), "rows": one.row_ids, "text": one.text}
        for one in errata_of(release)
    ]
    return {"schema": "hardbench-errata/1", "version": release.version, "manifest": release.manifest_sha256, "errata": errata}


def artifacts_of(release: Release) -> QuerySet[Artifact]:
    """The files of a built release, by path."""
    return release.artifacts.order_by("path")


def builds_of(release: Release) -> QuerySet[WorkUnit]:
    """The work units of all attempts to build it."""
    return WorkUnit.objects.filter(natural_key__startswith=f"{BUILD_KIND}:{release.key}:")


def newest_build(release: Release) -> WorkUnit | None:
    """The work unit of the newest attempt to build it; parked with a reason where that came to a halt."""
    return builds_of(release).order_by("-pk").first()


def why_withdrawn(release: Release) -> str:
    """The reason that was given; "" where it is not withdrawn."""
    entries = JournalEntry.objects.filter(subject_type="release", subject_id=release.pk, event="release.withdrawn")
    after = entries.values_list("after", flat=True).first()
    return str(after["reason"]) if after else ""


def newest_published() -> Release | None:
    """The release that a new one follows."""
    return Release.objects.filter(state=ReleaseState.PUBLISHED).order_by("-published_at").first()


def _one(rows: QuerySet[Release]) -> Release:
    release = rows.select_related("by", "parent").first()
    if release is None:
        raise ReleaseUnknown(_("There is no such release. Open the list of releases to see which there are."))
    return release


def _origins(decisions: list[Decision]) -> dict[tuple[int, int], str]:
    """What a source calls a picture, by image and source; of several names the first in the alphabet."""
    images = {decision.question.image_id for decision in decisions}
    rows = Acquisition.objects.filter(state=AcquisitionState.STORED, image__in=images).order_by("-name")
    return {(image, source): name for image, source, name in rows.values_list("image_id", "source_id", "name")}


def _simulated_votes() -> frozenset[int]:
    return frozenset(Vote.objects.filter(person__simulated=True).values_list("pk", flat=True))


def _last_seal() -> dict[str, Any] | None:
    seal = Checkpoint.objects.order_by("-last_entry").first()
    return None if seal is None else {"last_entry": seal.last_entry, "chained": seal.chained}
