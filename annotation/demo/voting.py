"""Simulated annotators at work: they claim and vote through the same verbs as everybody."""

import random
from collections.abc import Mapping

from annotation.demo.simulated import Habit, Truth, ballot
from annotation.models import Campaign, Person, Question, ReviewItem, Vote
from annotation.review.operations import cast_vote, claim_next

HABITS = [Habit(misses=0.03, invents=0.01, overlooks_small=True), Habit(misses=0.06, invents=0.02)]
SMALL_THINGS = 5


def truths_of(campaign: Campaign, edits: Mapping[int, Truth]) -> dict[str, Truth]:
    """What is known of each item, by its key: hand-made edits by their file, originals by their source's answer."""
    items = list(ReviewItem.objects.filter(campaign=campaign).select_related("question__image").order_by("pk"))
    boxed = sorted((item for item in items if item.question.box), key=lambda item: _share(item.question))
    small = {item.key for item in boxed[:SMALL_THINGS]}
    return {item.key: edits.get(item.question_id) or _of_original(item.question, item.key in small) for item in items}


def _share(question: Question) -> float:
    """The share of the picture that shows the answer."""
    x1, y1, x2, y2 = question.box or [0, 0, 0, 0]
    return (x2 - x1) * (y2 - y1) / (question.image.width * question.image.height)


def _of_original(question: Question, small: bool) -> Truth:
    box = question.box
    place = (box[0], box[1], box[2], box[3]) if box else None
    return Truth("answerable", answer=question.answers[0], box=place, small=small)


def vote_all(*, campaign: Campaign, people: list[Person], truths: Mapping[str, Truth]) -> int:
    """Everybody votes until nothing is left for them; returns how many votes of theirs the campaign then has."""
    for number, person in enumerate(people):
        dice = random.Random(number)  # noqa: S311  # the same demonstration every time
        while (claimed := claim_next(person=person)).task or claimed.reason == "busy":
            task = claimed.task
            if task is None:
                continue
            body = ballot(truths[task.item], HABITS[number % len(HABITS)], width=task.width, height=task.height, dice=dice)
            body |= {"assignment": task.token, "active_ms": 4000 + dice.randrange(20_000)}
            cast_vote(token=task.token, person=person, client_key=f"simulated-{task.token}", body=body)
    return Vote.objects.filter(item__campaign=campaign, person__in=people).count()
