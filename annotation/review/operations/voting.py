"""Voting: one transaction that checks the ballot, writes the vote with its search record, and settles the item."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils.translation import gettext as _

from annotation import journal
from annotation.errors import Conflict, Mismatch, Missing
from annotation.hashing import canonical_json, sha256_hex
from annotation.models import VOTE_GATE, ItemState, JournalEntry, Person, Vote, random_key
from annotation.review import ballots, coverage, statements
from annotation.review.operations.deciding import settle_item

KEY_AT_MOST = 80


class AssignmentForeign(Missing):
    """There is no such assignment of this person."""

    code = "assignment-unknown"


class AlreadyVoted(Conflict):
    """The person's vote on this item stands; it is changed by a revision, not by another vote."""

    code = "already-voted"


class ItemWithdrawn(Conflict):
    """The item's picture was taken down meanwhile: no vote is kept."""

    code = "item-withdrawn"


class KeyReused(Mismatch):
    """The same client key came with another body."""

    code = "key-reused"


class KeyMissing(ballots.BallotInvalid):
    """A vote needs a client key, so that sending it twice counts once."""

    code = "key-missing"


@dataclass(frozen=True, slots=True)
class Cast:
    """The answer to a vote. `repeated` says that this is the first answer once more."""

    vote: str
    late: bool
    voted: int | None
    repeated: bool = False


Row = Mapping[str, Any]


def cast_vote(*, token: str, person: Person, client_key: str, body: dict[str, Any]) -> Cast:
    """Cast a vote on an assignment; the same key and body again give the first answer.

    A vote whose lease ended counts while the item is open; one on a closed item is kept as late and not counted.
    Raises AssignmentForeign, AlreadyVoted, ItemWithdrawn, KeyReused, KeyMissing, BallotInvalid, EvidenceMissing, TraceInvalid.
    """
    if not 0 < len(client_key) <= KEY_AT_MOST or not client_key.isprintable():
        raise KeyMissing(_("Send an Idempotency-Key of 1 to %(most)d characters with each vote.") % {"most": KEY_AT_MOST})
    try:
        return _cast(token, person, client_key, body)
    except IntegrityError:
        # The same vote came twice at once and the other was first: with a fresh snapshot its answer is found.
        return _cast(token, person, client_key, body)


@transaction.atomic
def _cast(token: str, person: Person, client_key: str, body: dict[str, Any]) -> Cast:
    body_hash = _hash(body)
    row = _open_ballot(token, person, client_key)
    if row["body_hash"] is not None:
        return _first_answer(row, body_hash)
    if row["voted_before"]:
        raise AlreadyVoted(_("Your vote on this item is stored already; nothing was changed."))
    if row["item_state"] == ItemState.WITHDRAWN:
        raise ItemWithdrawn(_("This picture was taken down meanwhile, so nothing more is asked about it. Your vote is not kept."))
    ballot = ballots.read_ballot(body, width=row["width"], height=row["height"])
    search = _search_record(ballot, row)
    ballots.check_evidence(ballot, seen_share=search["seen_share"], needed_share=row["coverage_needed"])
    late = row["item_state"] != "open"
    key = random_key()
    answer = {"vote": key, "late": late}
    vote_id, voted = _record(row, person, ballot, search, key, late, client_key, body_hash, answer)
    entries = [_entry(vote_id, person, ballot, late), *([] if late else settle_item(row))]
    journal.record_many(entries)
    return Cast(vote=key, late=late, voted=voted)


def _hash(body: dict[str, Any]) -> str:
    try:
        return sha256_hex(canonical_json(body))
    except ValueError as error:  # infinite numbers, half a pair of surrogates
        raise ballots.BallotInvalid(_("The vote holds numbers or characters that cannot be stored.")) from error


def _open_ballot(token: str, person: Person, client_key: str) -> Row:
    values: dict[str, Any] = {"token": token, "person": person.pk, "client_key": client_key, "gate": VOTE_GATE}
    with connection.cursor() as cursor:
        cursor.execute(statements.OPEN_BALLOT, values)
        row = cursor.fetchone()
        if row is None:
            raise AssignmentForeign(_("There is no such assignment of yours. Load the page again to get your next item."))
        return dict(zip((column.name for column in cursor.description), row, strict=True))


def _first_answer(row: Row, body_hash: str) -> Cast:
    if row["body_hash"] != body_hash:
        raise KeyReused(_("This key was used for another vote. Nothing was changed; load the page again."))
    answer = row["first_answer"]
    answer = json.loads(answer) if isinstance(answer, str) else answer
    return Cast(vote=answer["vote"], late=answer["late"], voted=None, repeated=True)


def _search_record(ballot: ballots.Ballot, row: Row) -> dict[str, Any]:
    """The derived search: grid, share seen at the scale that the smallest plausible target needs."""
    samples = coverage.read_trace(ballot.trace)
    grid = coverage.grid_of(samples, width=row["width"], height=row["height"], duration_ms=row["server_ms"])
    scale = coverage.needed_scale(row["width"], row["height"], row["target_share"] * max(row["width"], row["height"]))
    return {
        "trace": json.dumps([[s.t, s.x, s.y, s.w, s.h, s.s, s.r] for s in samples]),
        "grid": json.dumps(grid.as_json()),
        "grid_version": coverage.GRID_VERSION,
        "needed_scale": scale,
        "seen_share": min(1.0, coverage.share_seen(grid, scale, row["dwell_ms"])),
        "server_ms": row["server_ms"],
    }


def _record(
    row: Row,
    person: Person,
    ballot: ballots.Ballot,
    search: dict[str, Any],
    key: str,
    late: bool,
    client_key: str,
    body_hash: str,
    answer: dict[str, Any],
) -> tuple[int, int | None]:
    values = {
        **search,
        "key": key,
        "assignment": row["assignment_id"],
        "item": row["item_id"],
        "campaign": row["campaign_id"],
        "person": person.pk,
        "pair": row["pair"],
        "round": row["round"],
        "verdict": ballot.verdict,
        "answer": ballot.answer,
        "evidence_kind": ballot.evidence_kind,
        "evidence": json.dumps(ballot.evidence()),
        "premise": ballot.premise,
        "code": ballot.code,
        "waiver": ballot.waiver,
        "comment": ballot.comment,
        "confidence": ballot.confidence,
        "active_ms": ballot.active_ms,
        "late": late,
        "counts": 0 if late else 1,
        "was_live": 1 if row["live"] else 0,
        "client_key": client_key,
        "body_hash": body_hash,
        "first_answer": json.dumps(answer),
    }
    with connection.cursor() as cursor:
        cursor.execute(statements.RECORD, values)
        vote_id, voted = cursor.fetchone()
    return vote_id, voted


def _entry(vote_id: int, person: Person, ballot: ballots.Ballot, late: bool) -> JournalEntry:
    after = {"verdict": ballot.verdict, "evidence": ballot.evidence_kind, "late": late}
    return journal.entry(event="vote.cast", actor=person, subject=Vote(pk=vote_id), after=after)
