"""Download grants: for one person, one original, two minutes; everything else is refused with the same words."""

from datetime import UTC, datetime, timedelta

import pytest

from annotation import signing

SECRET = "a secret of the tests that is long enough"
KEY = "Zx9_-aBcDeFgHiJkLmNoPq"
NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
MAX, OTTO = 7, 8


def grant() -> str:
    return signing.download_grant(secret=SECRET, person=MAX, image_key=KEY, at=NOON)


def check(token: str, *, person: int = MAX, key: str = KEY, at: datetime = NOON, secrets: tuple[str, ...] = (SECRET,)) -> None:
    signing.check_download(secrets=secrets, grant=token, person=person, image_key=key, at=at)


def test_max_may_download_for_two_minutes() -> None:
    check(grant())
    check(grant(), at=NOON + timedelta(seconds=120))
    check(grant(), secrets=("the newest secret of all is long enough", SECRET))


@pytest.mark.parametrize(
    "refused",
    [
        {"at": NOON + timedelta(seconds=121)},
        {"person": OTTO},
        {"key": "another-picture"},
        {"secrets": ("another secret that is long enough too",)},
        {"token": f"9{grant()}"},
        {"token": grant()[:-1] + ("A" if grant()[-1] != "A" else "B")},
        {"token": grant().replace(".", "..")},
        {"token": ""},
        {"token": "é" * 24},
        {"token": signing.image_grant(secret=SECRET, role="staff", image_key=KEY, at=NOON)},
    ],
)
def test_everything_else_is_refused_with_the_same_words(refused: dict[str, object]) -> None:
    with pytest.raises(signing.BadGrant, match="run out or was never valid"):
        check(**{"token": grant(), **refused})


def test_a_download_grant_opens_no_tiles() -> None:
    with pytest.raises(signing.BadGrant):
        signing.granted_role(secrets=[SECRET], grant=grant(), image_key=KEY, at=NOON)


def test_a_download_grant_fits_into_an_address_or_is_not_made() -> None:
    with pytest.raises(ValueError, match="plain word"):
        signing.download_grant(secret=SECRET, person=MAX, image_key="a/b", at=NOON)
