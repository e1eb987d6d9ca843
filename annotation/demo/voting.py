"""Simulated annotators at work: they claim and vote through the same verbs as everybody."""

import random
from collections.abc import Mapping

from annotation.demo.simulated import Habit, Truth, ballot
from annotation.models import Campaign, Person, Question, ReviewItem
from annotation.review.operations import cast_vote, claim_next

HABITS = [Habit(misses=0.03, invents=0.01), Habit(misses=0.08, invents=0.02), Habit(misses=0.05, invents=0.04)]


def truths_of(campaign: Campaign, edits: Mapping[int, Truth]) -> dict[str, Truth]:
    """What is known of each item, by its key: hand-made edits by their file, originals by their source's answer."""
    items = ReviewItem.objects.filter(campaign=campaign).select_related("question")
    return {item.key: edits.get(item.question_id) or _of_original(item.question) for item in items}


def _of_original(question: Question) -> Truth:
    box = question.box
    return Truth("answerable", answer=question.answers[0], box=(box[0], box[1], box[2], box[3]) if box else None)


def vote_all(*, people: list[Person], truths: Mapping[str, Truth]) -> int:
    """Everybody votes until nothing is left for them; returns how many votes were cast."""
    cast = 0
    for number, person in enumerate(people):
        dice = random.Random(number)  # noqa: S311  # the same demonstration every time
        while (task := claim_next(person=person).task) is not None:
            body = ballot(truths[task.item], HABITS[number % len(HABITS)], width=task.width, height=task.height, dice=dice)
            body |= {"assignment": task.token, "active_ms": 4000 + dice.randrange(20_000)}
            cast_vote(token=task.token, person=person, client_key=f"simulated-{task.token}", body=body)
            cast += 1
    return cast
