"""Rae's queue and her case page; nobody else gets there, and nothing that she must not know does."""

import re
from typing import Any

import pytest
from django.test import Client

from annotation.models import Decision, Person, ReviewItem, Role, Screening, SearchRecord
from annotation.review import coverage
from tests import factories
from tests.canary import MARK
from tests.conftest import browser_of, counted_statements
from tests.domain.test_adjudication import disputed_item

BOX = {"boxes": [[100, 200, 300, 400]]}
FOUND = {"verdict": "answerable", "answer": "green", "evidence": "whole", "comment": "It is painted on the wall."}


@pytest.fixture
def item(ann: Person, ben: Person, cleo: Person) -> ReviewItem:
    return disputed_item(ann, ben, cleo)


def case_page(client: Client, item: ReviewItem) -> str:
    return client.get(f"/adjudication/{item.key}/").content.decode()


def decide(client: Client, item: ReviewItem, **values: Any) -> Any:
    return client.post(f"/adjudication/{item.key}/", {**FOUND, **values})


def test_the_queue_names_each_case_with_its_votes_and_why_it_is_there(item: ReviewItem, rae: Person) -> None:
    page = browser_of(rae).get("/adjudication/").content.decode()
    assert item.question.text in page
    assert "Somebody showed where the answer is, others found nothing." in page
    assert re.findall(r'<td class="number">(\d)</td>', page) == ["1", "2", "0"]


def test_an_empty_queue_says_so(rae: Person) -> None:
    assert "Nothing is disputed" in browser_of(rae).get("/adjudication/").content.decode()


def test_the_queue_can_be_narrowed_to_one_campaign(item: ReviewItem, ann: Person, ben: Person, rae: Person) -> None:
    other = disputed_item(ann, ben)
    page = browser_of(rae).get("/adjudication/", {"campaign": other.campaign.key}).content.decode()
    assert other.key in page
    assert item.key not in page


def test_only_adjudicators_open_the_queue_and_its_cases(
    item: ReviewItem, ann: Person, max_: Person, ada: Person, otto: Person
) -> None:
    for person in (ann, max_, ada, otto):
        for path in ("/adjudication/", f"/adjudication/{item.key}/"):
            assert browser_of(person).get(path).status_code == 403, (person, path)
    assert Client().get("/adjudication/").status_code == 302


def test_a_case_that_is_none_is_not_found(item: ReviewItem, rae: Person) -> None:
    open_item = factories.make_item(item.campaign)
    for key in ("no-such-case", open_item.key):
        assert browser_of(rae).get(f"/adjudication/{key}/").status_code == 404, key


def test_rae_reads_votes_without_names(item: ReviewItem, rae: Person) -> None:
    page = case_page(browser_of(rae), item)
    assert all(f"Voter {number}" in page for number in (1, 2, 3))
    assert not any(name in page for name in (">ann<", ">ben<", ">cleo<"))
    assert f"{MARK}-comment-of-another" in page


def test_rae_decides_without_knowing_edit_twin_reference_control_or_models_verdict(item: ReviewItem, rae: Person) -> None:
    question = item.question
    factories.make_control(question)
    Screening.objects.create(question=question, check_name="looking", version=1, passed=False, detail="A model saw none.")
    page = case_page(browser_of(rae), item)
    assert question.parent is not None
    for hidden in ("reason-of-edit", "reference-answer", "control-", "A model saw none.", question.parent.text):
        assert hidden not in page, hidden


@pytest.mark.parametrize("reason", ["unsound-original", "wrong-original", "a-reason-of-tomorrow"])
def test_why_it_is_in_dispute_does_not_tell_an_original_from_an_edit(item: ReviewItem, rae: Person, reason: str) -> None:
    def told(reason: str) -> list[str]:
        ReviewItem.objects.filter(pk=item.pk).update(dispute_reason=reason)
        pages = [browser_of(rae).get("/adjudication/").content.decode(), case_page(browser_of(rae), item)]
        return [re.sub(r"/iiif/[^/]+|\b\w{64}\b", "a grant or a token", page) for page in pages]

    assert told(reason) == told("not-sure")


def test_what_the_voters_marked_lies_over_the_picture(item: ReviewItem, rae: Person) -> None:
    cleo = factories.make_person("cleo")
    factories.make_vote(
        disputed_item(cleo), factories.make_person("ben"), "answerable", evidence_kind="points", evidence={"points": [[5, 6]]}
    )
    vote_item = ReviewItem.objects.latest("pk")
    page = case_page(browser_of(rae), vote_item)
    assert '{"kind": "point", "at": [5, 6], "label": "Voter 2", "voter": 2}' in page
    assert 'data-show="[-45, -44, 55, 56]"' in page
    assert "/iiif/adjudicator." in page


def test_rae_decides_and_is_led_to_the_next_case(item: ReviewItem, ann: Person, ben: Person, rae: Person) -> None:
    other = disputed_item(ann, ben)
    client = browser_of(rae)
    assert decide(client, item)["Location"] == f"/adjudication/{other.key}/"
    assert decide(client, other)["Location"] == "/adjudication/"
    assert Decision.objects.filter(by=rae, answer="green").count() == 2


def test_rae_takes_over_what_a_voter_marked(item: ReviewItem, rae: Person) -> None:
    found = factories.make_vote(item, factories.make_person("max"), "answerable", evidence_kind="box", evidence=BOX)
    assert decide(browser_of(rae), item, evidence="voter-4").status_code == 302
    decision = Decision.objects.get()
    assert decision.numbers["evidence"] == {"kind": "box", "reason": "", "points": [], **BOX}
    assert found.pk in decision.votes


def test_rae_gives_a_box_of_her_own(item: ReviewItem, rae: Person) -> None:
    absent = {"verdict": "unanswerable", "premise": "attribute", "evidence": "box", "box": "10, 20, 30, 40"}
    assert decide(browser_of(rae), item, **absent).status_code == 302
    assert Decision.objects.get().numbers["evidence"]["boxes"] == [[10, 20, 30, 40]]


def test_rae_chooses_among_the_options_that_a_question_has(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben)
    type(item.question).objects.filter(pk=item.question_id).update(options=["green", "blue"])
    client = browser_of(rae)
    assert decide(client, item, answer="red").status_code == 400
    assert decide(client, item, answer="blue").status_code == 302


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"comment": ""}, "This field is required."),
        ({"evidence": "voter-9"}, "voter-9 is not one of the available choices."),
        ({"evidence": "box", "box": "left"}, "Write four numbers with commas"),
        ({"evidence": ""}, "Show where the answer is"),
        ({"verdict": "unanswerable", "premise": "object", "evidence": ""}, "left parts of the picture unseen"),
    ],
)
def test_a_refused_decision_comes_back_with_its_reason_and_what_was_entered(
    item: ReviewItem, rae: Person, values: dict[str, Any], words: str
) -> None:
    answer = decide(browser_of(rae), item, answer="bottle green", **values)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert words in page
    assert 'value="bottle green"' in page
    assert not Decision.objects.exists()


def test_a_case_that_another_decided_first_is_left_alone_and_rae_is_told(item: ReviewItem, rae: Person) -> None:
    client = browser_of(rae)
    decide(client, item)
    again = decide(client, item, answer="blue")
    assert again.status_code == 409
    assert "not in dispute any more" in again.content.decode()
    assert Decision.objects.get().answer == "green"


def test_a_decided_case_can_be_read_again_with_its_reason_and_without_a_form(item: ReviewItem, rae: Person) -> None:
    client = browser_of(rae)
    decide(client, item)
    page = case_page(client, item)
    assert "It is painted on the wall." in page
    assert 'id="decision"' not in page


def test_rae_neither_reads_nor_decides_a_case_she_voted_on(ann: Person, ben: Person, rae: Person) -> None:
    item = disputed_item(ann, ben, rae)
    client = browser_of(rae)
    assert client.get(f"/adjudication/{item.key}/").status_code == 403
    assert decide(client, item).status_code == 403
    assert "Nothing is disputed" in client.get("/adjudication/").content.decode()


def test_the_queue_asks_as_much_for_thirty_cases_as_for_one(ann: Person, ben: Person, rae: Person) -> None:
    client = browser_of(rae)
    disputed_item(ann, ben)
    with counted_statements() as one:
        client.get("/adjudication/")
    for _ in range(29):
        disputed_item(ann, ben)
    with counted_statements() as thirty:
        page = client.get("/adjudication/").content.decode()
    assert page.count("row-link") == 30
    assert len(one) == len(thirty) == 6, thirty


def test_a_case_asks_as_much_for_many_votes_as_for_two(item: ReviewItem, rae: Person) -> None:
    client = browser_of(rae)
    with counted_statements() as few:
        case_page(client, item)
    for name in ("max", "ada", "otto"):
        factories.make_vote(item, factories.make_person(name))
    with counted_statements() as many:
        case_page(client, item)
    assert len(few) == len(many) == 7, many


def searched(item: ReviewItem) -> None:
    """The first voter looked at the left half, for two seconds, half a second after the picture came."""
    vote, image = item.votes.order_by("pk")[0], item.question.image
    trace = [{"t": 500, "x": 0, "y": 0, "w": image.width / 2, "h": image.height, "s": 1, "r": 0}]
    grid = coverage.grid_of(coverage.read_trace(trace), width=image.width, height=image.height, duration_ms=2500)
    SearchRecord.objects.create(
        vote=vote,
        trace=trace,
        grid=grid.as_json(),
        grid_version=coverage.GRID_VERSION,
        needed_scale=0.5,
        seen_share=0.5,
        server_ms=2500,
    )


def test_rae_sees_where_a_voter_looked_and_in_which_order(item: ReviewItem, rae: Person) -> None:
    searched(item)
    address = f"/adjudication/{item.key}/searches/1/"
    assert f'data-search="{address}"' in case_page(browser_of(rae), item)
    rae_there = browser_of(rae)
    with counted_statements() as asked:
        found = rae_there.get(address).json()
    assert len(asked) <= 6, asked
    image = item.question.image
    assert found["views"] == [[0, 0, 0, image.width // 2, image.height, 1]]
    assert found["duration"] == 2000
    assert {(row[0], row[-1]) for row in found["seen"]} == {(100, 0)}


@pytest.mark.parametrize("voter", [0, 2, 4, 99])
def test_a_search_that_nobody_made_is_not_found(item: ReviewItem, rae: Person, voter: int) -> None:
    searched(item)
    assert browser_of(rae).get(f"/adjudication/{item.key}/searches/{voter}/").status_code == 404


def test_nobody_who_may_not_decide_sees_how_others_searched(
    item: ReviewItem, ann: Person, max_: Person, ada: Person, otto: Person
) -> None:
    searched(item)
    address = f"/adjudication/{item.key}/searches/1/"
    for person in (ann, max_, ada, otto):
        assert browser_of(person).get(address).status_code == 403, person
    assert ann.user is not None
    ann.user.roles = [Role.ANNOTATOR, Role.ADJUDICATOR]
    ann.user.save()
    assert browser_of(ann).get(address).status_code == 403, "she voted on it"
