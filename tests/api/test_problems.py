"""Otto's scripts meet every refusal of the API in one shape, whoever refuses: a view, the address tree, a fault of ours."""

from typing import Any

import pytest
from django.test import Client

from annotation.api import review
from annotation.models import Person
from tests.conftest import browser_of


def problem(answer: Any) -> tuple[int, str]:
    """Status and code of an answer that must be a problem in RFC 9457's sense."""
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert set(body) == {"type", "title", "status", "detail", "code", "errors"}
    assert body["status"] == answer.status_code
    assert body["detail"]
    return body["status"], body["code"]


@pytest.mark.parametrize("path", ["next", "votes", "skip", "renew"])
def test_who_is_not_logged_in_is_told_so_and_how_to(db: None, path: str) -> None:
    answer = Client().post(f"/api/v1/review/{path}", {}, content_type="application/json")
    assert problem(answer) == (401, "not-authenticated")
    assert answer.headers["WWW-Authenticate"] == "Session"


def test_ann_is_told_when_her_page_is_older_than_her_log_in(ann: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann.user)
    assert problem(client.post("/api/v1/review/next", {}, content_type="application/json")) == (403, "csrf-failed")


@pytest.mark.parametrize("path", ["/api/", "/api/v1/", "/api/v1/review/nowhere", "/api/v1/review/next/", "/api/v2/review/next"])
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_an_address_that_is_not_there_is_a_problem(ann: Person, method: str, path: str) -> None:
    for client in (Client(), browser_of(ann)):
        assert problem(getattr(client, method)(path)) == (404, "not-found")


def test_a_page_that_is_not_there_stays_a_page(ann: Person) -> None:
    answer = browser_of(ann).get("/apiary/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["/api/v1/review/votes", "/api/v1/schema"])
def test_a_method_that_is_not_for_an_address_is_a_problem(ann: Person, path: str) -> None:
    answer = browser_of(ann).delete(path)
    assert problem(answer) == (405, "method-not-allowed")
    assert answer.headers["Allow"]


@pytest.mark.parametrize("path", ["/api/v1/review/next", "/api/v1/schema"])
def test_a_form_that_the_api_does_not_answer_in_is_a_problem(ann: Person, path: str) -> None:
    client = browser_of(ann)
    send = client.get if path.endswith("schema") else client.post
    assert problem(send(path, headers={"Accept": "application/pdf"})) == (406, "not-acceptable")


def test_a_form_that_the_api_does_not_read_is_a_problem(ann: Person) -> None:
    answer = browser_of(ann).post("/api/v1/review/votes", "x", content_type="text/plain")
    assert problem(answer) == (415, "unsupported-media-type")


def test_a_fault_of_ours_is_a_problem_that_says_nothing_of_its_cause(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*, person: Person) -> None:
        raise ZeroDivisionError("a secret cause")

    monkeypatch.setattr(review.operations, "claim_next", broken)
    client = browser_of(ann)
    client.raise_request_exception = False
    answer = client.post("/api/v1/review/next", {}, content_type="application/json")
    assert problem(answer) == (500, "server-error")
    assert "secret" not in answer.content.decode()


def test_a_host_that_is_not_ours_is_a_problem_too(db: None) -> None:
    assert problem(Client(headers={"Host": "elsewhere.example"}).get("/api/v1/schema")) == (400, "bad-request")
