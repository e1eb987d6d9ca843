"""Ann gets an item, looks, votes; what she may not know never reaches her, and nothing she does is lost or doubled."""

import uuid
from typing import Any

import pytest
from django.test import Client

from annotation.models import Assignment, Decision, JournalEntry, Person, ReviewItem, Vote
from tests import factories
from tests.conftest import browser_of, counted_statements

BOX = {"kind": "box", "boxes": [[10, 10, 60, 60]]}


def post(client: Client, path: str, body: dict[str, Any], key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/api/v1/review/{path}", body, content_type="application/json", headers=headers)


def absent(token: str, **values: Any) -> dict[str, Any]:
    return {"assignment": token, "verdict": "unanswerable", "premise": "object", "evidence": BOX, **values}


def present(token: str, answer: str = "green", **values: Any) -> dict[str, Any]:
    return {"assignment": token, "verdict": "answerable", "answer": answer, "evidence": BOX, **values}


def next_token(client: Client) -> str:
    return post(client, "next", {}).json()["assignment"]["token"]


def vote(client: Client, body: dict[str, Any], key: str = "") -> Any:
    return post(client, "votes", body, key or str(uuid.uuid4()))


@pytest.fixture
def item(ann: Person, ben: Person, cleo: Person) -> ReviewItem:
    return factories.make_item(factories.make_campaign(ann, ben, cleo), factories.make_edit(factories.make_original()))


def test_ann_gets_the_question_and_its_picture_and_nothing_else(ann: Person, item: ReviewItem) -> None:
    task = post(browser_of(ann), "next", {}).json()
    assert task["item"] == {"id": item.key, "question": item.question.text, "options": []}
    assert task["image"]["width"] == 2400
    assert task["image"]["info_url"].startswith("/iiif/annotator.")
    assert set(task) == {"assignment", "item", "image", "policy", "guideline", "draft", "progress"}
    assert task["policy"] == {"needed_scale": 1.0, "needed_share": 0.9, "dwell_ms": 300}


def test_ann_gets_the_same_item_again_while_she_holds_it(ann: Person, item: ReviewItem) -> None:
    client = browser_of(ann)
    assert next_token(client) == next_token(client)
    assert Assignment.objects.count() == 1


def test_ann_is_told_truly_why_there_is_nothing(ann: Person, otto: Person) -> None:
    assert post(browser_of(ann), "next", {}).json()["reason"] == "no-campaign"
    factories.make_campaign(ann)
    assert post(browser_of(ann), "next", {}).json()["reason"] == "nothing-left"
    assert post(browser_of(otto), "next", {}).status_code == 403
    assert post(Client(), "next", {}).status_code == 401


def test_three_votes_settle_the_item_and_its_decision_keeps_their_numbers(
    item: ReviewItem, ann: Person, ben: Person, cleo: Person
) -> None:
    for person in (ann, ben, cleo):
        client = browser_of(person)
        assert vote(client, absent(next_token(client))).status_code == 201
    item.refresh_from_db()
    decision = Decision.objects.get()
    assert (item.state, item.voted, item.leased) == ("settled", 3, 0)
    assert (decision.verdict, decision.premise, decision.method) == ("unanswerable", "object", "consensus")
    assert decision.votes == list(Vote.objects.order_by("pk").values_list("pk", flat=True))
    assert decision.posterior is not None
    assert decision.posterior > 0.9
    assert decision.numbers["counts"] == {"answerable": 0, "unanswerable": 3, "ambiguous": 0}
    assert list(JournalEntry.objects.filter(event__in=["decision.made", "item.settled"]).values_list("event", flat=True)) == [
        "decision.made",
        "item.settled",
    ]


def test_one_answer_with_a_box_outweighs_two_absent_votes_until_rae_looks(
    item: ReviewItem, ann: Person, ben: Person, cleo: Person
) -> None:
    for person, ballot in ((ann, absent), (ben, absent), (cleo, present)):
        client = browser_of(person)
        vote(client, ballot(next_token(client)))
    item.refresh_from_db()
    assert (item.state, item.dispute_reason) == ("disputed", "evidence-against-absent")
    assert not Decision.objects.exists()


def test_the_same_vote_sent_twice_counts_once_and_gives_the_first_answer(item: ReviewItem, ann: Person) -> None:
    client, key = browser_of(ann), str(uuid.uuid4())
    body = absent(next_token(client))
    first, again = vote(client, body, key), vote(client, body, key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["vote"] == again.json()["vote"]
    item.refresh_from_db()
    assert (Vote.objects.count(), item.voted, item.leased) == (1, 1, 0)


def test_the_same_key_with_another_body_is_refused(item: ReviewItem, ann: Person) -> None:
    client, key = browser_of(ann), str(uuid.uuid4())
    token = next_token(client)
    vote(client, absent(token), key)
    answer = vote(client, absent(token, comment="changed"), key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key-reused")
    assert Vote.objects.count() == 1


def test_a_second_vote_with_a_new_key_is_refused_and_the_first_stands(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    vote(client, absent(token))
    answer = vote(client, present(token))
    assert (answer.status_code, answer.json()["code"]) == (409, "already-voted")
    assert Vote.objects.get().verdict == "unanswerable"


@pytest.mark.parametrize(
    ("values", "code", "field"),
    [
        ({"verdict": "answerable", "answer": "", "evidence": BOX}, "evidence-missing", "answer"),
        ({"verdict": "answerable", "answer": "green", "evidence": {"kind": "none"}}, "evidence-missing", "evidence"),
        ({"verdict": "answerable", "answer": "green", "evidence": {"kind": "box", "boxes": []}}, "evidence-missing", "evidence"),
        ({"verdict": "unanswerable", "premise": "", "evidence": BOX}, "evidence-missing", "premise"),
        ({"verdict": "unanswerable", "premise": "object", "evidence": {"kind": "none"}}, "evidence-missing", "evidence"),
        ({"verdict": "ambiguous"}, "evidence-missing", "code"),
        ({"verdict": "perhaps"}, "ballot-invalid", "verdict"),
        ({"verdict": "answerable", "answer": "x", "evidence": {"kind": "box", "boxes": [[0, 0, "a", 1]]}}, "ballot-invalid", "evidence"),
        ({"verdict": "answerable", "answer": "x", "evidence": {"kind": "box", "boxes": [[5000, 0, 6000, 9]]}}, "ballot-invalid", "evidence"),
        ({"verdict": "answerable", "answer": "x", "evidence": {"kind": "points", "points": [[-1, 2]]}}, "ballot-invalid", "evidence"),
        ({"verdict": "ambiguous", "code": "vague_wording", "confidence": 9}, "ballot-invalid", "confidence"),
        ({"verdict": "ambiguous", "code": "vague_wording", "comment": "nul\x00"}, "ballot-invalid", "comment"),
        ({"verdict": "ambiguous", "code": "vague_wording", "trace": [{"t": -1}]}, "trace-invalid", "trace"),
        ({"verdict": "ambiguous", "code": "vague_wording", "trace": "all of it"}, "trace-invalid", "trace"),
    ],
)  # fmt: skip
def test_a_vote_without_its_evidence_or_with_nonsense_names_the_field_and_stores_nothing(
    item: ReviewItem, ann: Person, values: dict[str, Any], code: str, field: str
) -> None:
    client = browser_of(ann)
    answer = vote(client, {"assignment": next_token(client), **values})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert field in answer.json()["errors"]
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert not Vote.objects.exists()
    item.refresh_from_db()
    assert (item.voted, item.leased) == (0, 1)


def test_a_vote_without_a_key_or_assignment_is_refused(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    assert post(client, "votes", absent(token)).json()["code"] == "key-missing"
    assert vote(client, {"verdict": "answerable"}).status_code == 400
    assert vote(client, ["not", "an", "object"]).status_code == 400  # type: ignore[arg-type]


def test_ann_cannot_vote_on_bens_assignment(item: ReviewItem, ann: Person, ben: Person) -> None:
    token = next_token(browser_of(ben))
    for path, body in (("votes", absent(token)), ("skip", {"assignment": token}), ("renew", {"assignment": token})):
        assert post(browser_of(ann), path, body, str(uuid.uuid4())).status_code == 404, path
    assert vote(browser_of(ann), absent("no-such-token")).json()["code"] == "assignment-unknown"
    assert not Vote.objects.exists()


def test_a_vote_after_the_lease_counts_while_the_item_is_open(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    Assignment.objects.update(state="expired")
    ReviewItem.objects.update(leased=0)
    answer = vote(client, absent(token))
    assert (answer.status_code, answer.json()["late"]) == (201, False)
    item.refresh_from_db()
    assert (item.voted, item.leased) == (1, 0)


def test_a_vote_on_a_closed_item_is_kept_as_late_and_not_counted(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    ReviewItem.objects.update(state="settled")
    answer = vote(client, absent(token))
    assert (answer.status_code, answer.json()["late"]) == (201, True)
    item.refresh_from_db()
    assert (item.voted, item.leased, Vote.objects.get().late) == (0, 0, True)


def test_a_skipped_item_goes_to_others_at_once_and_a_renewed_one_stays(item: ReviewItem, ann: Person, ben: Person) -> None:
    ReviewItem.objects.update(needed=1)
    client = browser_of(ann)
    token = next_token(client)
    assert post(client, "renew", {"assignment": token}).status_code == 200
    assert post(browser_of(ben), "next", {}).json()["assignment"] is None
    assert post(client, "skip", {"assignment": token}).status_code == 204
    assert post(client, "renew", {"assignment": token}).json()["code"] == "lease-over"
    assert post(browser_of(ben), "next", {}).json()["assignment"] is not None


def test_a_draft_comes_back_with_the_item(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    body = {"assignment": token, "form": {"verdict": "answerable", "answer": "gre"}}
    assert client.put("/api/v1/review/draft", body, content_type="application/json").status_code == 204
    assert post(client, "next", {}).json()["draft"] == body["form"]
    large = {"assignment": token, "form": {"comment": "x" * 300_000}}
    assert client.put("/api/v1/review/draft", large, content_type="application/json").json()["code"] == "draft-too-large"


def test_a_search_of_the_whole_picture_carries_an_absent_vote(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    Assignment.objects.update(created_at="2026-01-01T00:00:00Z")
    rows = [{"t": 2000 * n, "x": 800 * (n % 3), "y": 800 * (n // 3), "w": 800, "h": 800, "s": 1.0, "r": 0} for n in range(6)]
    trace = [*rows, {**rows[-1], "t": 12_000}]
    answer = vote(client, absent(token, evidence={"kind": "none"}, trace=trace))
    assert answer.status_code == 201, answer.json()
    record = Vote.objects.get().search_record
    assert record.seen_share > 0.9
    assert record.needed_scale == 1.0
    assert record.trace[0] == [0, 0, 0, 800, 800, 1.0, 0]


def test_a_search_that_claims_more_time_than_there_was_is_worth_less(item: ReviewItem, ann: Person) -> None:
    client = browser_of(ann)
    token = next_token(client)
    trace = [{"t": t, "x": 0, "y": 0, "w": 2400, "h": 1600, "s": 1.0, "r": 0} for t in (0, 60_000)]
    answer = vote(client, absent(token, evidence={"kind": "none"}, trace=trace))
    assert answer.json()["code"] == "evidence-missing"


def test_a_control_settles_without_a_decision(item: ReviewItem, ann: Person) -> None:
    factories.make_control(item.question)
    ReviewItem.objects.update(needed=1)
    client = browser_of(ann)
    vote(client, absent(next_token(client)))
    item.refresh_from_db()
    assert item.state == "settled"
    assert not Decision.objects.exists()


def test_next_needs_four_queries_and_a_settling_vote_eight(item: ReviewItem, ann: Person) -> None:
    ReviewItem.objects.update(needed=1)
    factories.make_item(item.campaign)
    client = browser_of(ann)
    with counted_statements() as asked:
        token = next_token(client)
    assert len(asked) == 4, asked
    with counted_statements() as asked:
        assert vote(client, absent(token)).status_code == 201
    assert len(asked) <= 8, asked
