"""Settling an item under its row lock: the votes, the pure rule, and the Decision with every number it used."""

import json
from collections.abc import Mapping
from typing import Any

from django.db import connection

from annotation import journal
from annotation.models import Decision, ItemState, JournalEntry, ReviewItem
from annotation.review import coverage, statements
from annotation.review.settling import Ballot, Disputed, NeedMore, Outcome, Policy, Settled, Subject, settle

Row = Mapping[str, Any]


def settle_item(row: Row) -> list[JournalEntry]:
    """Settle, dispute or prolong the item of `row` (see OPEN_BALLOT), whose lock the caller holds and whose newest vote
    is written but not yet counted in `row`. Returns the journal entries to write."""
    if row["voted"] + 1 < row["needed"]:
        return []
    votes = _votes(row["item_id"])
    item = ReviewItem(pk=row["item_id"])
    if row["is_control"]:
        # A control's truth is known: its votes measure people and never make a Decision.
        return _close(item, ItemState.SETTLED, {"votes": len(votes)})
    outcome = settle(
        [_ballot(vote) for vote in votes], policy=_policy(row), subject=_subject(row), searched=_searched(row, votes)
    )
    return _apply(item, row, outcome)


def _apply(item: ReviewItem, row: Row, outcome: Outcome) -> list[JournalEntry]:
    if isinstance(outcome, NeedMore):
        ReviewItem.objects.filter(pk=item.pk).update(needed=row["voted"] + 1 + outcome.votes)
        return []
    if isinstance(outcome, Disputed):
        return _close(item, ItemState.DISPUTED, {"reason": outcome.code}, dispute_reason=outcome.code)
    decision = _decide(item, row, outcome)
    after = {"verdict": decision.verdict, "method": decision.method, "rule": decision.rule_version}
    return [
        journal.entry(event="decision.made", actor=None, subject=decision, after=after),
        *_close(item, ItemState.SETTLED, {"verdict": decision.verdict}),
    ]


def _decide(item: ReviewItem, row: Row, outcome: Settled) -> Decision:
    return Decision.objects.create(
        question_id=row["question_id"],
        item=item,
        verdict=outcome.verdict,
        answer=outcome.answer,
        premise=outcome.premise,
        method=outcome.method,
        rule_version=outcome.numbers["rule"],
        numbers=outcome.numbers,
        votes=list(outcome.votes),
        posterior=outcome.posterior,
        supersedes_id=row["current_decision"],
    )


def _close(item: ReviewItem, state: str, after: dict[str, Any], **values: Any) -> list[JournalEntry]:
    ReviewItem.objects.filter(pk=item.pk).update(state=state, **values)
    return [journal.entry(event=f"item.{state}", actor=None, subject=item, before={"state": "open"}, after=after)]


def _votes(item_id: int) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(statements.VOTES_OF_ITEM, {"item": item_id})
        names = [column.name for column in cursor.description]
        return [dict(zip(names, found, strict=True)) for found in cursor.fetchall()]


def _ballot(vote: Row) -> Ballot:
    return Ballot(
        vote=vote["id"],
        person=str(vote["person_id"]),
        verdict=vote["verdict"],
        answer=vote["answer"],
        evidence=vote["evidence_kind"] in ("box", "points", "whole"),
        premise=vote["premise"],
        coverage=vote["seen_share"],
    )


def _policy(row: Row) -> Policy:
    return Policy(
        votes_needed=row["base_needed"],
        votes_at_most=row["votes_at_most"],
        extra_relation_votes=row["extra_relation_votes"],
        zero_count=row["zero_count"],
    )


def _subject(row: Row) -> Subject:
    return Subject(edited=row["component"] is not None, component=row["component"] or "", options=tuple(row["options"]))


def _searched(row: Row, votes: list[Row]) -> bool | None:
    """Whether the voters' searches together carry "absent"; None where every absent vote shows or names why no search
    of the whole picture is needed."""
    absent = [vote for vote in votes if vote["verdict"] == "unanswerable"]
    if all(vote["evidence_kind"] in ("box", "region") or vote["waiver"] for vote in absent):
        return None
    grids = [coverage.Grid.from_json(_json(vote["grid"])) for vote in votes if vote["grid"]]
    target = row["target_share"] * max(row["width"], row["height"])
    return coverage.searched_together(
        grids,
        needed_scale=coverage.needed_scale(row["width"], row["height"], target),
        dwell_ms=row["dwell_ms"],
        target_px=target,
        needed_share=row["union_coverage_needed"],
    )


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
