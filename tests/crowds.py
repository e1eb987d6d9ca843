"""Many people at once, and what counters must be if one counts again."""

from collections import Counter
from typing import Any

from annotation.models import Assignment, Campaign, Person, ReviewItem, Vote
from annotation.review import operations
from tests import factories

BOX = {"kind": "box", "boxes": [[10, 10, 60, 60]]}


def crowd(size: int, **values: Any) -> list[Person]:
    """People without a log-in, enough for those verbs that take a person."""
    return Person.objects.bulk_create([Person(pseudonym=f"voter {number}", **values) for number in range(1, size + 1)])


def items_for(campaign: Campaign, count: int, **values: Any) -> list[ReviewItem]:
    return [factories.make_item(campaign, lane=number % 4, **values) for number in range(count)]


def absent(token: str = "", **values: Any) -> dict[str, Any]:
    """A ballot that says that the object is not there, and where."""
    return {"assignment": token, "verdict": "unanswerable", "premise": "object", "evidence": BOX, **values}


def take(person: Person) -> str:
    """The token of the person's next item; fails if they get none."""
    claimed = operations.claim_next(person=person)
    assert claimed.task is not None, claimed.reason
    return claimed.task.token


def cast(person: Person, token: str, key: str = "") -> Any:
    return operations.cast_vote(token=token, person=person, client_key=key or f"key of {token}", body=absent(token))


def patient_claim(person: Person) -> Any:
    """What a claim gives, asked again while it is busy, as the page does."""
    while (claimed := operations.claim_next(person=person)).reason == "busy":
        pass
    return claimed


def work_until_empty(person: Person) -> str | None:
    """Claim and vote until nothing comes; the reason that was given."""
    while (claimed := patient_claim(person)).task is not None:
        cast(person, claimed.task.token)
    return claimed.reason


def counters() -> dict[int, tuple[int, int]]:
    """(leased, voted) of each item, as stored."""
    return {item.pk: (item.leased, item.voted) for item in ReviewItem.objects.all()}


def recount() -> dict[int, tuple[int, int]]:
    """(leased, voted) of each item, counted from the assignments and votes themselves."""
    leased = Counter(Assignment.objects.filter(live=True).values_list("item_id", flat=True))
    voted = Counter(Vote.objects.filter(late=False, supersedes=None).values_list("item_id", flat=True))
    return {pk: (leased[pk], voted[pk]) for pk in ReviewItem.objects.values_list("pk", flat=True)}
