"""Ada reads a campaign's agreement in a shell."""

import json

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Campaign, Person
from tests import factories


@pytest.fixture
def campaign(ann: Person, ben: Person) -> Campaign:
    campaign = factories.make_campaign(ann, ben, name="Kettles")
    for verdicts in (("unanswerable", "unanswerable"), ("answerable", "answerable"), ("answerable", "unanswerable")):
        item = factories.make_item(campaign)
        for person, verdict in zip((ann, ben), verdicts, strict=True):
            factories.make_vote(item, person, verdict)
    return campaign


def test_ada_sees_figures_and_people(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agreement", "Kettles")
    said = capsys.readouterr().out
    assert said.startswith("Campaign Kettles\n")
    assert "raw  0.667 (" in said
    assert "specific:ambiguous  undefined because nobody gave this label" in said
    assert "ann  3 votes; 2 of 3 meetings with others agreed" in said


def test_a_script_reads_them_as_json_by_key(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("agreement", campaign.key, "--json")
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["figures"]["raw"]["value"] == pytest.approx(2 / 3)
    assert outcome["people"][1] == {
        "person": "ben",
        "labels": {"unanswerable": 2, "answerable": 1},
        "votes": 3,
        "pairs": 3,
        "agreed": 2,
    }


def test_a_campaign_that_is_not_there_is_said_so(db: None) -> None:
    with pytest.raises(CommandError) as refusal:
        call_command("agreement", "Teapots")
    assert refusal.value.returncode == 3
