"""Otto starts the demonstration twice: the second start says what is there, not that nothing was added."""

import pytest

from annotation.demo.simulated import Truth
from annotation.demo.voting import vote_all
from annotation.models import Person
from tests import factories


@pytest.mark.usefixtures("db")
def test_a_second_start_counts_the_votes_that_are_there() -> None:
    people = [Person.objects.create(pseudonym=f"simulated-{number}", simulated=True) for number in (1, 2)]
    campaign = factories.make_campaign(*people)
    item = factories.make_item(campaign, needed=2)
    truths = {item.key: Truth("answerable", answer="green")}
    first = vote_all(campaign=campaign, people=people, truths=truths)
    assert first == item.votes.count() > 0
    assert vote_all(campaign=campaign, people=people, truths=truths) == first
