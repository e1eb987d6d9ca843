"""Two adjudicators open one case at once; a release build and a decision wait for each other."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from annotation.adjudication import operations
from annotation.models import VOTE_GATE, Decision, JournalEntry, ReviewItem
from tests.domain.test_adjudication import ABSENT, FOUND, decide, disputed_item
from tests.people import make_person
from tests.races import at_once, meanwhile, somebody_else, wait_until_blocked

pytestmark = pytest.mark.usefixtures("committed_db")


def test_of_six_decisions_at_once_one_stands_and_the_others_are_told() -> None:
    item, rae = disputed_item(make_person("ann"), make_person("ben")), make_person("rae")

    answers = at_once(*[partial(decide, item, rae, FOUND)] * 6)
    assert len([answer for answer in answers if isinstance(answer, Decision)]) == 1
    assert len([answer for answer in answers if isinstance(answer, operations.NotDisputed)]) == 5
    assert Decision.objects.count() == 1
    assert JournalEntry.objects.filter(event="decision.made").count() == 1


def test_a_decision_waits_while_a_release_build_takes_its_snapshot() -> None:
    item, rae = disputed_item(make_person("ann"), make_person("ben")), make_person("rae")
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as builder:
            builder.execute("SELECT pg_advisory_xact_lock(%s)", [VOTE_GATE])
            deciding = meanwhile(pool, partial(decide, item, rae, ABSENT))
            wait_until_blocked()
            assert ReviewItem.objects.get(pk=item.pk).state == "disputed"
        assert deciding.result(timeout=20).verdict == "unanswerable"


def test_a_question_that_settles_elsewhere_meanwhile_keeps_one_decision_of_record() -> None:
    item, rae = disputed_item(make_person("ann"), make_person("ben")), make_person("rae")
    with ThreadPoolExecutor(1) as pool:
        with somebody_else() as voter:
            voter.execute(
                "INSERT INTO decision (key, question_id, verdict, method, rule_version, answer, premise, comment, numbers, votes)"
                " VALUES ('elsewhere', %s, 'ambiguous', 'consensus', 'settle-1', '', '', '', '{}', '{}')",
                [item.question_id],
            )
            deciding = meanwhile(pool, partial(decide, item, rae, ABSENT))
            wait_until_blocked()
        decision = deciding.result(timeout=20)
    assert decision.supersedes.key == "elsewhere"
    assert Decision.objects.filter(superseded_by__isnull=True).get() == decision
