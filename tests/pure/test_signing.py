"""Image grants: they hold for one role, one image and about half an hour, and nobody makes one without the secret."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import signing

SECRET = "a secret of the tests that is long enough"
KEY = "Zx9_-aBcDeFgHiJkLmNoPq"
NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


def grant(*, secret: str = SECRET, role: str = "annotator", image_key: str = KEY, at: datetime = NOON) -> str:
    return signing.image_grant(secret=secret, role=role, image_key=image_key, at=at)


def role(token: str, *, at: datetime = NOON, image_key: str = KEY, secrets: tuple[str, ...] = (SECRET,)) -> str:
    return signing.granted_role(secrets=secrets, grant=token, image_key=image_key, at=at)


def test_ann_gets_her_role_back() -> None:
    assert role(grant()) == "annotator"


def test_a_grant_stays_the_same_for_half_an_hour_so_that_browsers_cache() -> None:
    assert grant(at=NOON) == grant(at=NOON + timedelta(minutes=29, seconds=59))
    assert grant(at=NOON) != grant(at=NOON + timedelta(minutes=30))


@pytest.mark.parametrize("minutes", [0, 29, 30, 59.9])
def test_a_grant_holds_to_the_end_of_the_next_half_hour(minutes: float) -> None:
    assert role(grant(), at=NOON + timedelta(minutes=minutes)) == "annotator"


@pytest.mark.parametrize("minutes", [60, 600, -0.1, -30])
def test_a_grant_is_refused_when_too_old_or_from_the_future(minutes: float) -> None:
    with pytest.raises(signing.BadGrant):
        role(grant(), at=NOON + timedelta(minutes=minutes))


def test_a_grant_does_not_open_another_image() -> None:
    with pytest.raises(signing.BadGrant):
        role(grant(), image_key="Another_image_key_0000")


def test_ann_cannot_raise_her_role() -> None:
    with pytest.raises(signing.BadGrant):
        role(grant().replace("annotator", "maintainer"))


def test_a_grant_made_with_another_secret_is_refused() -> None:
    with pytest.raises(signing.BadGrant):
        role(grant(secret="another secret that is as long as that"))


def test_grants_made_before_the_secret_changed_still_hold_while_the_old_one_is_kept() -> None:
    assert role(grant(), secrets=("the new secret", SECRET)) == "annotator"


@given(st.text(max_size=60))
def test_otto_cannot_guess_a_grant(token: str) -> None:
    with pytest.raises(signing.BadGrant):
        role(token)


def test_a_grant_is_safe_in_an_address() -> None:
    assert set(grant()) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")


@pytest.mark.parametrize(("word", "image_key"), [("An Annotator", KEY), ("", KEY), ("annotator", "a/b"), ("annotator", "")])
def test_no_grant_is_made_for_words_that_no_address_carries(word: str, image_key: str) -> None:
    with pytest.raises(ValueError, match="no grant"):
        grant(role=word, image_key=image_key)
