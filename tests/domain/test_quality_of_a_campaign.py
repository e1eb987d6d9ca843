"""Ada looks at the quality of a campaign; whoever reviews never learns how controls were met."""

import pytest
from django.contrib.auth.models import AnonymousUser

from annotation.models import Campaign, Person, Vote
from annotation.quality import queries
from annotation.quality.queries import TruthHidden
from tests import factories
from tests.people import make_person


@pytest.fixture
def campaign(ann: Person, ben: Person, cleo: Person) -> Campaign:
    """Four items: twice all agree, once Cleo differs, once only Ann and Ben voted, and they differ."""
    campaign = factories.make_campaign(ann, ben, cleo)
    verdicts = [
        ("unanswerable", "unanswerable", "unanswerable"),
        ("answerable", "answerable", "answerable"),
        ("unanswerable", "unanswerable", "ambiguous"),
        ("answerable", "unanswerable", None),
    ]
    for row in verdicts:
        item = factories.make_item(campaign)
        for person, verdict in zip((ann, ben, cleo), row, strict=True):
            if verdict:
                factories.make_vote(item, person, verdict)
    return campaign


def test_ada_reads_agreement_over_all_items(campaign: Campaign) -> None:
    figures = queries.agreement_of(campaign, resamples=50).figures
    # Pairs that agree: 3 of 3, 3 of 3, 1 of 3, 0 of 1, averaged over four items.
    assert figures["raw"].value == pytest.approx((1 + 1 + 1 / 3 + 0) / 4)
    assert figures["raw"].items == 4
    assert set(figures) == {
        "raw",
        "ac1",
        "kappa",
        "alpha",
        "specific:answerable",
        "specific:unanswerable",
        "specific:ambiguous",
    }


def test_every_round_of_an_item_counts_apart(campaign: Campaign, ann: Person, ben: Person) -> None:
    question = campaign.items.order_by("pk")[0].question
    second = factories.make_item(campaign, question, round=2)
    factories.make_vote(second, ann, "ambiguous")
    factories.make_vote(second, ben, "ambiguous")
    table = queries.verdict_table(campaign)
    assert len(table) == 5
    assert {"ann": "ambiguous", "ben": "ambiguous"} in table


def test_a_revised_vote_counts_once_and_a_late_one_not_at_all(ann: Person, ben: Person) -> None:
    campaign = factories.make_campaign(ann, ben)
    item = factories.make_item(campaign)
    first = factories.make_vote(item, ann, "answerable")
    factories.make_vote(item, ann, "unanswerable", supersedes=first, assignment=first.assignment)
    factories.make_vote(item, ben, "answerable", late=True)
    assert queries.verdict_table(campaign) == [{"ann": "unanswerable"}]


def test_votes_of_another_campaign_do_not_count(campaign: Campaign, ann: Person) -> None:
    other = factories.make_campaign(ann)
    factories.make_vote(factories.make_item(other), ann, "ambiguous")
    assert len(queries.verdict_table(campaign)) == 4


def test_ada_sees_each_persons_counts(campaign: Campaign) -> None:
    ann, ben, cleo = queries.agreement_of(campaign, resamples=0).people
    assert (ann.person, ann.votes, ann.pairs, ann.agreed) == ("ann", 4, 7, 5)
    assert ben.labels == {"unanswerable": 3, "answerable": 1}
    assert (cleo.votes, cleo.agreed) == (3, 4)


def test_a_campaign_without_votes_says_why_there_is_no_figure(ann: Person) -> None:
    campaign = factories.make_campaign(ann)
    assert queries.agreement_of(campaign).figures["ac1"].undefined.startswith("undefined because no item")
    assert queries.waiver_share(campaign).undefined == "undefined because nobody voted unanswerable"


def test_the_share_of_waivers_is_that_of_absent_votes(campaign: Campaign, cleo: Person) -> None:
    factories.make_vote(factories.make_item(campaign), cleo, "unanswerable", waiver="scene_excludes")
    figure = queries.waiver_share(campaign)
    assert (figure.value, figure.items) == (pytest.approx(1 / 7), 7)


def test_ada_sees_how_each_person_met_controls(campaign: Campaign, ann: Person, ben: Person, ada: Person) -> None:
    for truth, verdicts in (("answerable", ("answerable", "unanswerable")), ("unanswerable", ("unanswerable", "unanswerable"))):
        item = factories.make_item(campaign)
        factories.make_control(item.question, truth)
        for person, verdict in zip((ann, ben), verdicts, strict=True):
            factories.make_vote(item, person, verdict)
    records = {record.person: record for record in queries.control_records(campaign, viewer=ada.user)}
    assert set(records) == {"ann", "ben"}
    assert (records["ann"].sensitivity.value, records["ann"].specificity.value) == (1.0, 1.0)
    assert (records["ben"].sensitivity.value, records["ben"].specificity.value) == (0.0, 1.0)


def test_a_person_who_met_no_control_of_a_kind_has_no_figure_for_it(campaign: Campaign, ann: Person, ada: Person) -> None:
    item = factories.make_item(campaign)
    factories.make_control(item.question, "unanswerable")
    factories.make_vote(item, ann, "unanswerable")
    (record,) = queries.control_records(campaign, viewer=ada.user)
    assert record.sensitivity.value is None
    assert record.specificity.value == 1.0


@pytest.mark.parametrize("name", ["ann", "rae", "otto"])
def test_who_reviews_or_is_outside_never_learns_how_controls_were_met(campaign: Campaign, name: str) -> None:
    with pytest.raises(TruthHidden):
        queries.control_records(campaign, viewer=make_person(name).user)
    with pytest.raises(TruthHidden):
        queries.control_records(campaign, viewer=AnonymousUser())


def test_an_auditor_who_also_annotates_stays_blind(campaign: Campaign, ada: Person) -> None:
    ada.user.roles = ["auditor", "annotator"]
    with pytest.raises(TruthHidden):
        queries.control_records(campaign, viewer=ada.user)


def test_the_figures_of_a_large_campaign_take_few_statements(campaign: Campaign, django_assert_num_queries: object) -> None:
    assert Vote.objects.count() == 11
    with django_assert_num_queries(1):  # type: ignore[operator]
        queries.agreement_of(campaign, resamples=0)
