"""What a host's answer means: which wait, which are final, which may pass."""

from email.message import Message

import pytest

from annotation.outbound.replies import LONGEST_WAIT, USUAL_WAIT, declared_length, judged, waits


def headers(**values: str) -> Message:
    made = Message()
    for name, value in values.items():
        made[name.replace("_", "-")] = value
    return made


@pytest.mark.parametrize(
    ("status", "given", "outcome"),
    [
        (404, {}, "gone"), (410, {}, "gone"), (451, {}, "gone"),
        (429, {}, "throttled"), (503, {"retry_after": "3"}, "throttled"),
        (503, {}, "failed"), (500, {}, "failed"), (502, {}, "failed"), (408, {}, "failed"), (425, {}, "failed"),
        (206, {}, "refused"), (204, {}, "refused"), (304, {}, "refused"), (401, {}, "refused"), (403, {}, "refused"),
        (200, {"content_encoding": "gzip"}, "refused"), (200, {"content_length": "many"}, "refused"), (200, {"content_length": "-1"}, "refused"),
    ],
)  # fmt: skip
def test_each_answer_has_one_outcome(status: int, given: dict[str, str], outcome: str) -> None:
    reply = judged(status, headers(**given))
    assert reply is not None
    assert (reply.outcome, reply.status) == (outcome, status)
    assert reply.reason


def test_a_good_answer_is_read_on() -> None:
    assert judged(200, headers(content_length="5", content_encoding="identity")) is None


@pytest.mark.parametrize(
    ("asked", "date", "seconds"),
    [
        ("7", "", 7), (" 7 ", "", 7), ("0", "", 1), ("999999999999", "", LONGEST_WAIT), ("-5", "", USUAL_WAIT), ("soon", "", USUAL_WAIT),
        ("", "", USUAL_WAIT), ("²", "", USUAL_WAIT),
        ("Tue, 01 Dec 2026 10:00:30 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", 30),
        ("Tue, 01 Dec 2026 09:00:00 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", 1),
        ("Fri, 01 Dec 2226 09:00:00 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", LONGEST_WAIT),
        ("Tue, 01 Dec 2026 10:00:30 GMT", "", USUAL_WAIT), ("Tue, 99 Dec 2026 10:00:30 GMT", "Tue, 01 Dec 2026 10:00:00 GMT", USUAL_WAIT),
    ],
)  # fmt: skip
def test_a_host_is_left_alone_as_long_as_it_asks_within_reason(asked: str, date: str, seconds: int) -> None:
    assert waits(asked, date) == seconds


def test_a_length_is_digits_or_nothing() -> None:
    lengths = [declared_length(headers(content_length=text)) for text in ("0", "12", "1e3", "+5", "9" * 30)]
    assert lengths == [0, 12, -1, -1, -1]
    assert declared_length(headers()) is None
