"""Rows of a source without a known licence stay out of releases until a maintainer allows them in writing."""

from typing import Any

import pytest

from annotation import storage
from annotation.models import JournalEntry, LicenceRuling, Person, Release, Source
from annotation.releases import operations as releases
from annotation.sources.operations import (
    BadSource,
    LicenceKnown,
    RuledAlready,
    RulingUnexplained,
    add_source,
    describe_source,
    rule_on_licence,
)
from tests import factories
from tests.decided import PLAN, built_release, decided_pair
from tests.people import make_person

WHY = "The authors agreed to it by letter, kept in the office."
ONE_SPLIT = {**PLAN, "splits": [{"name": "test", "tier": "test", "rows": 2}]}


@pytest.fixture
def max_(committed_db: None) -> Person:
    return make_person("max")


@pytest.fixture
def source(max_: Person) -> Source:
    return factories.make_source("cof", name="CoF", licence="unknown")


def rule(source: Source, *, allowed: bool = True, reason: str = WHY) -> LicenceRuling:
    return rule_on_licence(source_key=source.key, allowed=allowed, reason=reason, by=make_person("max"))


def built(source: Source) -> Release:
    decided_pair(source=source, image=factories.make_image(source=source, licence=""))
    return built_release(pairs=0, plan=ONE_SPLIT)


def attribution_of(release: Release) -> str:
    return storage.store().open(release.artifacts.get(path="ATTRIBUTION.md").storage_key).read().decode()


def test_rows_without_a_licence_stay_out_and_are_counted(source: Source) -> None:
    with pytest.raises(releases.PlanNotMet):
        built(source)
    cut = Release.objects.get().cut
    assert cut is not None
    assert cut["left_out"]["unlicensed"] == 2


def test_a_written_word_lets_them_in_and_goes_out_with_them(source: Source, max_: Person) -> None:
    rule(source)
    release = built(source)
    assert {row.content["licence"] for row in release.rows.all()} == {"unknown"}
    assert WHY in attribution_of(release)
    entry = JournalEntry.objects.get(event="source.licence-ruled")
    assert (entry.actor, entry.after) == (max_, {"allowed": True, "reason": WHY})


def test_a_word_that_is_taken_back_keeps_a_built_release_from_going_out(source: Source) -> None:
    rule(source)
    release = built(source)
    rule(source, allowed=False, reason="The letter turned out to be about another data set.")
    with pytest.raises(releases.LicenceUnclear, match="CoF"):
        releases.publish_release(release_key=release.key, by=make_person("max"))
    rule(source, reason="A second letter is about this one.")
    assert releases.publish_release(release_key=release.key, by=make_person("max")).state == "published"


def test_a_licence_that_was_found_makes_the_word_needless(source: Source) -> None:
    card = {"licence": "MIT", "homepage": "", "citation": " Zhang ", "images_redistributable": False}
    describe_source(source_key=source.key, by=make_person("max"), **card)
    release = built(source)
    assert {row.content["licence"] for row in release.rows.all()} == {"MIT"}
    assert "written decision" not in attribution_of(release)
    with pytest.raises(LicenceKnown):
        rule(source)
    entry = JournalEntry.objects.get(event="source.described")
    assert entry.before is not None
    assert (entry.before["licence"], entry.after["licence"], entry.after["citation"]) == ("unknown", "MIT", "Zhang")


def test_a_card_that_says_the_same_is_not_written_again(source: Source) -> None:
    same = {name: getattr(source, name) for name in ("licence", "homepage", "citation", "images_redistributable")}
    describe_source(source_key=source.key, by=make_person("max"), **same)
    assert not JournalEntry.objects.filter(event="source.described").exists()


@pytest.mark.parametrize("reason", ["", "Fine by me.", " " * 30, "x" * 2001])
def test_a_word_that_says_nothing_is_refused(source: Source, reason: str) -> None:
    with pytest.raises(RulingUnexplained):
        rule(source, reason=reason)
    assert not LicenceRuling.objects.exists()


def test_the_same_word_twice_and_taking_back_what_was_never_said_are_refused(source: Source) -> None:
    with pytest.raises(RuledAlready):
        rule(source, allowed=False)
    rule(source)
    with pytest.raises(RuledAlready):
        rule(source)
    assert LicenceRuling.objects.count() == 1


def test_a_source_that_we_know_is_added_with_its_card(max_: Person) -> None:
    source = add_source(key="pixmo-count", by=max_)
    assert (source.name, source.licence) == ("PixMo-Count", "ODC-By-1.0")
    assert source.homepage.startswith("https://huggingface.co/")
    assert "Molmo" in source.citation
    own: dict[str, Any] = {"name": "Mine", "licence": "MIT", "homepage": "https://example.org", "citation": "Me."}
    other = add_source(key="tallyqa", by=max_, **own)
    assert {name: getattr(other, name) for name in own} == own
    with pytest.raises(BadSource):
        add_source(key="nobody-knows-it", by=max_)


def test_clusters_are_called_by_the_sha256_of_their_oldest_picture(max_: Person) -> None:
    oldest = factories.make_image()
    copy = factories.make_image(cluster=oldest.pk)
    type(oldest).objects.filter(pk=oldest.pk).update(cluster=oldest.pk)
    decided_pair(image=copy)
    release = built_release(pairs=0, plan=ONE_SPLIT)
    assert {row.content["image"]["cluster"] for row in release.rows.all()} == {oldest.sha256}
