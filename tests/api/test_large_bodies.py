"""Otto sends more than the API reads; the refusal is one that scripts understand."""

from typing import Any

import pytest
from django.conf import settings

from annotation.models import Person
from tests.conftest import browser_of


@pytest.mark.parametrize(("method", "path"), [("post", "votes"), ("post", "skip"), ("put", "draft")])
@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded"])
def test_a_body_beyond_the_limit_is_refused_as_a_problem(ann: Person, method: str, path: str, kind: str) -> None:
    body = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    answer: Any = getattr(browser_of(ann), method)(f"/api/v1/review/{path}", body, content_type=kind)
    assert answer.status_code in ({413} if kind == "application/json" else {413, 415})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
