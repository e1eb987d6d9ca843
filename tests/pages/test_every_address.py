"""Everybody knocks at every address: each answer is known beforehand, and an address that is not listed here fails.

A person's column holds the answer to GET and to an empty POST (PUT where an address is written to by that).
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.access import image_info_url, original_url
from annotation.images import pixels
from annotation.images.operations import pyramid_key
from annotation.models import GenerationRun, Image, Person, Role, Submission, User
from annotation.sources.operations import keep_upload
from annotation.storage import store
from tests import factories, pictures
from tests.canary import leaks, seen_by_those_who_may
from tests.conftest import browser_of
from tests.decided import built_release
from tests.domain.test_adjudication import disputed_item
from tests.pages.test_sources import make_batch
from tests.people import make_person, with_password

PUT = {"api-review-draft"}
EVERYBODY = ("nobody", "otto", "ann", "rae", "max", "ada", "ida")  # Ida administers

# name: GET by each of EVERYBODY; then an empty POST by each. Nobody is led to the log-in (302).
ANSWERS = """
home                    | 302 200 200 200 200 200 200 | 302 405 405 405 405 405 405
healthz                 | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
readyz                  | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
review                  | 302 403 200 200 403 403 403 | 302 405 405 405 405 405 405
guideline               | 302 404 200 404 200 200 200 | 302 405 405 405 405 405 405
adjudication            | 302 403 403 200 403 403 403 | 302 405 405 405 405 405 405
case                    | 302 403 403 200 403 403 403 | 302 403 403 400 403 403 403
case-search             | 302 403 403 404 403 403 403 | 302 405 405 405 405 405 405
campaigns               | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
campaign                | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
campaign-state          | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
campaign-roster         | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
campaign-guideline      | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
acquisitions            | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
acquisitions-progress   | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
acquisitions-fetch      | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
acquisitions-again      | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
acquisitions-host       | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
images                  | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
image                   | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
image-original          | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
image-original-file     | 302 403 403 403 200 403 403 | 302 405 405 405 405 405 405
image-takedown          | 302 403 403 403 200 403 200 | 302 403 403 403 400 403 400
clusters                | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
cluster                 | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
cluster-split           | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
cluster-join            | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
journal                 | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
sources                 | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
source-imports          | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
source-licence          | 302 403 403 403 200 200 200 | 302 403 403 403 302 403 302
source-licence-ruling   | 302 405 405 405 405 405 405 | 302 403 403 403 400 403 400
import                  | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
import-waiting          | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
import-resume           | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
import-problems-csv     | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
upload                  | 302 403 403 403 200 403 200 | 302 403 403 403 400 403 400
candidates              | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
runs                    | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
run                     | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
run-progress            | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
run-stop                | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
quality                 | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
releases                | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
release                 | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
release-state           | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
release-build           | 302 405 405 405 405 405 405 | 302 403 403 403 409 403 409
release-publish         | 302 405 405 405 405 405 405 | 302 403 403 403 302 403 302
release-withdraw        | 302 403 403 403 302 403 302 | 302 403 403 403 400 403 400
release-errata          | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
release-zip             | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
artifact                | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
evaluation              | 302 403 403 403 200 200 200 | 302 403 403 403 400 403 400
submission              | 302 403 403 403 200 200 200 | 302 405 405 405 405 405 405
submission-state        | 302 403 403 403 204 204 204 | 302 405 405 405 405 405 405
iiif-base               | 303 303 303 303 303 303 303 | 405 405 405 405 405 405 405
iiif-info               | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
iiif-picture            | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
iiif-unread             | 400 400 400 400 400 400 400 | 405 405 405 405 405 405 405
account_login           | 200 302 302 302 302 302 302 | 200 302 302 302 302 302 302
account_logout          | 302 200 200 200 200 200 200 | 302 302 302 302 302 302 302
account_inactive        | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
account_change_password | 302 200 200 200 200 200 200 | 302 200 200 200 200 200 200
set_language            | 302 302 302 302 302 302 302 | 302 302 302 302 302 302 302
api-review-next         | 401 405 405 405 405 405 405 | 401 403 200 200 403 403 403
api-review-vote         | 401 405 405 405 405 405 405 | 401 403 400 400 403 403 403
api-review-skip         | 401 405 405 405 405 405 405 | 401 403 400 400 403 403 403
api-review-renew        | 401 405 405 405 405 405 405 | 401 403 400 400 403 403 403
api-review-draft        | 401 405 405 405 405 405 405 | 401 403 400 400 403 403 403
api-image-original      | 401 405 405 405 405 405 405 | 401 403 403 403 201 403 201
api-schema              | 200 200 200 200 200 200 200 | 405 405 405 405 405 405 405
"""


def table() -> dict[str, dict[str, tuple[int, int]]]:
    """For each address, what each person gets for GET and for an empty POST."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for line in ANSWERS.strip().splitlines():
        name, gets, posts = (part.strip() for part in line.split("|"))
        pairs = zip(map(int, gets.split()), map(int, posts.split()), strict=True)
        assert name not in found, f"{name} is listed twice"
        found[name] = dict(zip(EVERYBODY, pairs, strict=True))
    return found


# Of allauth's: what needs mail, or is for people who sign up, is found by nobody.
CLOSED = {
    "account_signup",
    "account_reauthenticate",
    "account_request_reauthentication_code",
    "account_confirm_reauthentication_code",
    "account_email",
    "account_email_verification_sent",
    "account_set_password",
    "account_reset_password",
    "account_confirm_login_code",
    "account_confirm_email",
    "account_reset_password_from_key_done",
    "account_reset_password_from_key",
    "account_reset_password_done",
}
TABLE = table() | {name: dict.fromkeys(EVERYBODY, (404, 404)) for name in CLOSED}


def patterns(under: URLResolver | None = None) -> Iterator[URLPattern]:
    """Every pattern of the product, however deep."""
    for pattern in (under or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern)
        else:
            yield pattern


def person_called(name: str) -> Person:
    if name != "ida":
        return with_password(make_person(name))
    return with_password(
        Person.objects.create(user=User.objects.create(username=name, roles=[Role.ADMINISTRATOR]), pseudonym=name)
    )


@pytest.fixture
def addresses(committed_db: None, tmp_path: Path) -> dict[str, str]:
    """One thing of each kind behind the address of each name, so that a 404 is never for want of a thing."""
    people = {name: person_called(name) for name in ("ann", "ben", "cleo", "max")}
    release = built_release(by=people["max"])
    item = disputed_item(people["ann"], people["ben"], people["cleo"])
    factories.make_control(item.question)
    run = GenerationRun.objects.create(engine="offline", engine_version="1", seed=1, question_limit=1, by=people["max"])
    submission = Submission.objects.create(release=release, model="kettle-7b", predictions_sha256="ab" * 32, by=people["max"])
    batch = make_batch(factories.make_source(), people["max"])
    info = image_info_url(image_key=item.question.image.key, role="annotator", at=datetime.now(UTC)).split("/")
    picture = {"grant": info[2], "key": info[3]}
    original = original_url(image_key=item.question.image.key, person=people["max"], at=datetime.now(UTC))
    Image.objects.filter(pk=item.question.image.pk).update(storage_key="originals/of-every-address")
    store().write("originals/of-every-address", b"the original")
    read = {"source": batch.source.key, "key": batch.key}
    rows = tmp_path / "rows.csv"
    rows.write_text("image,question,answer\na.jpg,What is it?,a kettle\n")
    upload = keep_upload(source=batch.source, path=rows, file_name="rows.csv", by=people["max"])
    campaign, at_release = {"key": item.campaign.key}, {"key": release.key}
    known: dict[str, dict[str, Any]] = {
        "guideline": campaign,
        "case": {"key": item.key},
        "case-search": {"key": item.key, "voter": 1},
        "campaign": campaign,
        "campaign-state": campaign,
        "campaign-roster": campaign,
        "campaign-guideline": campaign,
        "image": {"key": item.question.image.key},
        "image-original": {"key": item.question.image.key},
        "image-original-file": {"key": item.question.image.key, "grant": original.split("/")[4]},
        "api-image-original": {"key": item.question.image.key},
        "image-takedown": {"key": item.question.image.key},
        "cluster": {"key": item.question.image.key},
        "cluster-split": {"key": item.question.image.key},
        "cluster-join": {"key": item.question.image.key},
        "source-imports": {"key": batch.source.key},
        "source-licence": {"key": batch.source.key},
        "source-licence-ruling": {"key": batch.source.key},
        "import": read,
        "import-waiting": read,
        "import-resume": read,
        "import-problems-csv": read,
        "upload": {"source": batch.source.key, "key": upload.key},
        "run": {"key": run.key},
        "run-progress": {"key": run.key},
        "run-stop": {"key": run.key},
        "release": at_release,
        "release-state": at_release,
        "release-build": at_release,
        "release-publish": at_release,
        "release-withdraw": at_release,
        "release-errata": at_release,
        "release-zip": at_release,
        "artifact": {**at_release, "file": "manifest.json"},
        "submission": {"key": submission.key},
        "submission-state": {"key": submission.key},
        "iiif-base": picture,
        "iiif-info": picture,
        "iiif-picture": {**picture, "region": "full", "size": "max", "rotation": "0", "form": "default.jpg"},
        "iiif-unread": {**picture, "rest": "full/max"},
        "account_confirm_email": {"key": "a"},
        "account_reset_password_from_key": {"uidb36": "1", "key": "a"},
    }
    give_tiles(item.question.image.key, tmp_path)
    return {name: reverse(name, kwargs=known.get(name)) for name in TABLE}


def give_tiles(key: str, folder: Path) -> None:
    pixels.build_pyramid(pictures.jpeg(folder / "a.jpg", 300, 200), folder / "a.zip")
    store().write(pyramid_key(key), folder / "a.zip")


def test_every_address_is_listed_once_and_has_a_name() -> None:
    names = [pattern.name for pattern in patterns()]
    assert sorted(names) == sorted(TABLE)


def test_each_address_is_open_to_somebody() -> None:
    """Else a table of refusals would also describe a product that is broken."""
    refusals = {403, 404, 405}  # 400 is an answer: the form was read
    shut = {
        name for name, answers in TABLE.items() if refusals.issuperset(status for pair in answers.values() for status in pair)
    }
    assert shut == CLOSED


@pytest.mark.parametrize("who", EVERYBODY)
def test_everybody_gets_what_is_written_at_every_address(addresses: dict[str, str], who: str) -> None:
    client = Client() if who == "nobody" else browser_of(person_called(who))
    answers = {name: [] for name in TABLE}
    for method in ("get", "post"):
        for name, address in addresses.items():
            if name == "account_logout" and method == "post":
                continue
            answer = ask(client, method, name, address)
            answers[name].append(answer.status_code)
            assert wrong_headers(answer) == [], f"{method} {name}"
    answers["account_logout"].append(client.post(addresses["account_logout"]).status_code)
    assert {name: tuple(found) for name, found in answers.items()} == {name: TABLE[name][who] for name in TABLE}


@pytest.mark.parametrize("who", ["nobody", "max", "rae"])
def test_whoever_asks_only_for_the_head_gets_the_answer_without_its_body(addresses: dict[str, str], who: str) -> None:
    client = Client() if who == "nobody" else browser_of(person_called(who))
    for name, address in addresses.items():
        assert (name, client.head(address).status_code) == (name, TABLE[name][who][0])


def ask(client: Client, method: str, name: str, address: str) -> Any:
    """Scripts send JSON, browsers forms; a streamed answer is read to its end."""
    json = {"content_type": "application/json"} if method == "post" and name.startswith("api-") else {}
    answer: Any = getattr(client, "put" if json and name in PUT else method)(address, **json)
    if answer.streaming:
        assert b"".join(answer.streaming_content)
    return answer


def test_the_watch_over_hidden_truth_sees_what_max_may_see_and_ann_may_not(addresses: dict[str, str], ann: Person) -> None:
    seen_by_those_who_may.clear()
    for address in addresses.values():
        browser_of(make_person("max")).get(address)
        browser_of(ann).get(address)
    assert {line.split()[1] for line in seen_by_those_who_may} >= {addresses["candidates"]}
    assert leaks == []


def wrong_headers(answer: Any) -> list[str]:
    """What an answer's headers fail to promise."""
    policy = answer.headers.get("Content-Security-Policy", "")
    promised = {
        "no content from elsewhere": "default-src 'self'" in policy and "unsafe" not in policy,
        "no frame": "frame-ancestors 'none'" in policy and answer.headers.get("X-Frame-Options") == "DENY",
        "no other site": "form-action 'self'" in policy and "base-uri 'self'" in policy and "object-src 'none'" in policy,
        "no sniffing": answer.headers.get("X-Content-Type-Options") == "nosniff",
        "no referrer": answer.headers.get("Referrer-Policy") == "same-origin",
        "not kept by others": "private" in answer.headers.get("Cache-Control", ""),
        "cookies unread": all(cookie["httponly"] for name, cookie in answer.cookies.items() if name == "sessionid"),
        "cookies at home": all(cookie["samesite"] == "Lax" for name, cookie in answer.cookies.items() if cookie.value),
    }
    return [promise for promise, kept in promised.items() if not kept]


def test_nothing_is_written_for_a_form_from_another_site(addresses: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_person("max").user)
    for name, address in addresses.items():
        if not name.startswith("iiif"):
            assert ask(client, "post", name, address).status_code in (403, 404, 405), name
    answer = client.post(addresses["sources"])
    assert answer.status_code == 403
    assert "Reload its page" in answer.content.decode()
    assert (
        client.post(addresses["release-publish"], headers={"X-CSRFToken": answer.cookies["csrftoken"].value}).status_code == 302
    )


@pytest.mark.parametrize("name", sorted(name for name in TABLE if name.startswith("account_")))
def test_ann_gets_no_error_of_the_server_from_an_account_form(addresses: dict[str, str], ann: Person, name: str) -> None:
    form = {"email": "ann@example.org", "action_add": "", "username": "eve", "password1": "x", "login": "\0", "password": "\0"}
    for client in (Client(raise_request_exception=False), browser_of(ann)):
        assert client.post(addresses[name], form).status_code < 500
