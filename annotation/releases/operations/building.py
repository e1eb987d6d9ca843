"""Building a release: one moment of the record, a pure builder, files, and then everything written at once.

The moment is a REPEATABLE READ snapshot that no vote straddles. Votes hold VOTE_GATE shared until they are committed; the
build takes it alone *before* its transaction begins, since a snapshot made while waiting would miss votes that commit in
the meantime, and gives it back as soon as the snapshot stands.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils.translation import gettext as _

from annotation import journal, storage, work
from annotation.errors import Conflict
from annotation.hashing import sha256_hex
from annotation.models import VOTE_GATE, Artifact, Decision, Person, Question, Release, ReleaseRow, ReleaseState, WorkUnit
from annotation.releases import attributions, queries, rows, verify
from annotation.releases.card import card
from annotation.releases.export import data_files, in_order, sealed
from annotation.releases.manifest import MANIFEST, build_manifest, manifest_bytes
from annotation.releases.operations.states import locked, move
from annotation.releases.plans import plan_from_json
from annotation.releases.queries import Cut
from annotation.releases.splits import Shortfall, place

GATE_WAIT_MS = 20_000
VERIFIER = "verify_release.py"

SealedRow = Mapping[str, Any]


class PlanNotMet(Conflict):
    """The decisions there are cannot fill the plan; the release keeps the shortfalls with their relaxations."""

    code = "plan-not-met"


@transaction.atomic
def request_build(*, release_key: str, by: Person) -> WorkUnit:
    """Ask for a draft to be built; the unit to watch. Asking again while it is being built gives the same unit, and
    lets it go on if it was parked.

    Raises ReleaseUnknown, WrongState.
    """
    release = locked(release_key)
    last = queries.newest_build(release)
    if release.state == ReleaseState.BUILDING and last is not None:
        work.unpark(unit_id=last.pk)
        return last
    before, attempt = move(release, ReleaseState.BUILDING), queries.builds_of(release).count() + 1
    release.save(update_fields=["state"])
    journal.record(event="release.build-asked", actor=by, subject=release, before={"state": before}, after={"try": attempt})
    payload = {"release_id": release.pk}
    natural_key = f"{queries.BUILD_KIND}:{release.key}:{attempt}"
    return work.enqueue(kind=queries.BUILD_KIND, natural_key=natural_key, payload=payload, queue="release")


def build_release(*, release_id: int) -> Release:
    """Build a release that is `building`; one that is built already is given back as it is, so a retry is harmless.

    Must not be called inside a transaction. Raises PlanNotMet (the release is a draft again, with its shortfalls),
    WrongState, and work.PassingFailure if votes did not let the gate close in time.
    """
    if connection.in_atomic_block:
        raise RuntimeError("a release is built outside any transaction: its snapshot must begin after the gate closed")
    release = Release.objects.get(pk=release_id)
    if release.manifest_sha256:
        return release
    move(release, ReleaseState.BUILT)  # refuses at once what would be refused after all the work
    cut = _moment()
    placement = place(rows.cut_rows(cut.decisions, cut.clusters), plan_from_json(release.plan))
    if placement.shortfalls:
        _fall_short(release, cut, placement.shortfalls)
    done = [sealed(row) for row in in_order(rows.release_rows(placement.rows, cut))]
    files = _files(release, cut, done)
    for content in files.values():
        storage.store().write(storage_key(content), content)
    return _record(release, cut, done, files)


def storage_key(content: bytes) -> str:
    """Files are kept by what they hold, so that a build that was killed and starts again finds its own traces."""
    digest = sha256_hex(content)
    return f"artifacts/{digest[:2]}/{digest}"


def _moment() -> Cut:
    with _gate_closed() as open_gate, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_current_snapshot()")
        open_gate()
        return queries.current_cut()


@contextmanager
def _gate_closed() -> Iterator[Any]:
    """Hold the vote gate alone, until the yielded function is called or the block is left."""
    held = True

    def release() -> None:
        nonlocal held
        if held:
            held = False
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [VOTE_GATE])

    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{GATE_WAIT_MS}ms"])
        try:
            cursor.execute("SELECT pg_advisory_lock(%s)", [VOTE_GATE])
        except OperationalError as busy:
            reason = _("Votes in flight kept the release from taking its snapshot; it is tried again.")
            raise work.PassingFailure(reason) from busy
        finally:
            cursor.execute("SELECT set_config('lock_timeout', '0', false)")
    try:
        yield release
    finally:
        release()


def _files(release: Release, cut: Cut, done: Sequence[SealedRow]) -> dict[str, bytes]:
    """All files of the release by path, the manifest with them."""
    files = data_files(done)
    files["README.md"] = card(version=release.version, plan=release.plan, rows=done).encode()
    files[attributions.PATH] = attributions.attributions(done, rows.source_facts(cut)).encode()
    files[VERIFIER] = Path(verify.__file__).read_bytes()
    parent = release.parent
    manifest = build_manifest(
        version=release.version,
        parent=None if parent is None else {"version": parent.version, "manifest_sha256": parent.manifest_sha256},
        plan=release.plan,
        rows=done,
        files=files,
        journal=cut.journal,
        code_version=settings.VERSION,
    )
    return files | {MANIFEST: manifest_bytes(manifest)}


@transaction.atomic
def _record(release: Release, cut: Cut, done: Sequence[SealedRow], files: Mapping[str, bytes]) -> Release:
    """Rows, files and state in one transaction: a release is built whole, or not at all."""
    release = locked(release.key)
    if release.manifest_sha256:
        return release
    before = move(release, ReleaseState.BUILT)
    ReleaseRow.objects.bulk_create(_stored_rows(release, cut.decisions, done), batch_size=1000)
    Artifact.objects.bulk_create(
        Artifact(release=release, path=path, storage_key=storage_key(content), sha256=sha256_hex(content), byte_size=len(content))
        for path, content in sorted(files.items())
    )
    release.cut, release.shortfalls, release.manifest_sha256 = cut.as_json(), [], sha256_hex(files[MANIFEST])
    release.save(update_fields=["state", "cut", "shortfalls", "manifest_sha256"])
    after = {"state": release.state, "manifest": release.manifest_sha256, "rows": len(done)}
    journal.record(event="release.built", actor=None, subject=release, before={"state": before}, after=after)
    return release


def _stored_rows(release: Release, decisions: Sequence[Decision], done: Sequence[SealedRow]) -> Iterator[ReleaseRow]:
    by_key: dict[str, tuple[Question, Decision]] = {d.question.key: (d.question, d) for d in decisions}
    for position, row in enumerate(done):
        question, decision = by_key[row["id"]]
        yield ReleaseRow(
            release=release,
            row_id=row["id"],
            question=question,
            decision=decision,
            split=row["split"],
            role=row["role"],
            pair_id=row["pair"],
            position=position,
            content=row,
            row_hash=row["row_hash"],
        )


def _fall_short(release: Release, cut: Cut, shortfalls: Sequence[Shortfall]) -> None:
    with transaction.atomic():
        release = locked(release.key)
        before = move(release, ReleaseState.DRAFT)
        release.shortfalls, release.cut = [gap.as_json() for gap in shortfalls], cut.as_json()
        release.save(update_fields=["state", "shortfalls", "cut"])
        after = {"state": release.state, "shortfalls": release.shortfalls}
        journal.record(event="release.fell-short", actor=None, subject=release, before={"state": before}, after=after)
    first = shortfalls[0]
    message = _("%(split)s needs more %(what)s: %(wanted)d wanted, %(found)d decided. Relaxations: %(relaxations)s.")
    values = {"split": first.split, "wanted": first.wanted, "what": first.what, "found": first.found}
    raise PlanNotMet(message % {**values, "relaxations": "; ".join(first.relaxations)})
