"""Otto sends bodies that break readers; the API refuses them by name and stays up."""

from typing import Any

import pytest

from annotation.models import Person
from tests.conftest import browser_of

DEEP = '{"assignment":' + "[" * 50_000 + "]" * 50_000 + "}"


@pytest.mark.parametrize("path", ["next", "votes", "skip", "renew"])
@pytest.mark.parametrize(
    "body", [DEEP, '{"assignment":"\\ud800"}', '{"assignment":NaN}', '{"assignment":', "\x00", '{"assignment": "\\u0000"}']
)
def test_a_body_that_breaks_readers_is_refused(ann: Person, path: str, body: str) -> None:
    if path == "next":
        body = body.replace("assignment", "whatever")
    answer: Any = browser_of(ann).post(f"/api/v1/review/{path}", body, content_type="application/json")
    assert answer.status_code in ({200, 400} if path == "next" else {400, 404})
    assert answer.status_code == 200 or answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x"])
def test_a_body_of_another_type_is_refused(ann: Person, kind: str) -> None:
    answer = browser_of(ann).post("/api/v1/review/votes", "x", content_type=kind)
    assert answer.status_code == 415
