"""The door outwards against real hosts on loopback: slow, endless, lying, redirecting, and names that change their mind."""

import gzip
import io
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from annotation.hashing import sha256_hex
from annotation.outbound import Door, Expected, Limits, Reply, door
from annotation.outbound.addresses import policy
from hardbench_web.checks import door_is_shut
from tests.hosts import Host, Visit, certificate, host

PICTURE = b"\xff\xd8\xff" + bytes(range(256)) * 40
LIMITS = Limits(connect=2, read=1, total=2, redirects=4)


@pytest.fixture
def fake() -> Iterator[Host]:
    with host() as found:
        yield found


def nobody(name: str, port: int) -> list[str]:
    raise AssertionError(f"{name}:{port} was resolved")


def loopback(name: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def ask(url: str, *, most: int = 1 << 20, sha256: str = "", size: int | None = None, **how: object) -> tuple[Reply, bytes]:
    out = io.BytesIO(b"left over from an earlier attempt" * 1000)
    rules = policy(own_hosts=[], allow=["127.0.0.1"])
    made = Door(rules, "tests", **{"resolve": loopback, "limits": LIMITS, **how})  # type: ignore[arg-type]
    reply = made.fetch(url, out, Expected(most, sha256, size))
    return reply, out.getvalue()


def test_a_picture_is_fetched_with_its_hash(fake: Host) -> None:
    reply, found = ask(fake.says("/a.jpg", body=PICTURE), sha256=sha256_hex(PICTURE), size=len(PICTURE))
    assert (reply.outcome, reply.status, reply.bytes, reply.sha256) == ("fetched", 200, len(PICTURE), sha256_hex(PICTURE))
    assert found == PICTURE


def test_a_host_hears_its_own_name_and_is_asked_for_plain_bytes(fake: Host) -> None:
    fake.says("/a.jpg?x=1", body=PICTURE)
    assert ask(fake.url("/a.jpg?x=1", "pictures.example"))[0].outcome == "fetched"
    told = fake.visits[0].headers()
    assert (told["Host"], told["Accept-Encoding"], told["User-Agent"]) == (f"pictures.example:{fake.port}", "identity", "tests")


def test_a_body_in_chunks_or_without_a_length_is_whole(fake: Host) -> None:
    chunked = b"%x\r\n%b\r\n0\r\n\r\n" % (len(PICTURE), PICTURE)
    url = fake.says("/chunked", body=chunked, Content_Length=None, Transfer_Encoding="chunked")
    assert ask(url)[1] == PICTURE
    assert ask(fake.says("/open", body=PICTURE, Content_Length=None))[1] == PICTURE


def test_other_bytes_than_promised_are_a_mismatch(fake: Host) -> None:
    url = fake.says("/a.jpg", body=PICTURE)
    assert ask(url, sha256="0" * 64)[0].outcome == "mismatch"
    assert ask(url, size=7)[0].outcome == "mismatch"
    hidden = fake.says("/b.jpg", body=PICTURE, Content_Length=None)
    assert [ask(hidden, size=size)[0].outcome for size in (7, len(PICTURE) + 1, len(PICTURE))] == [
        "mismatch",
        "mismatch",
        "fetched",
    ]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("404 Gone", "gone"), ("410 Gone", "gone"), ("451 No", "gone"), ("403 No", "refused"), ("206 Partial Content", "refused"),
     ("500 Oh", "failed"), ("503 Busy", "failed"), ("300 Many", "refused"), ("204 Nothing", "refused")],
)  # fmt: skip
def test_each_status_has_its_outcome(fake: Host, status: str, outcome: str) -> None:
    assert ask(fake.says("/a.jpg", status))[0].outcome == outcome


def test_a_host_that_asks_us_to_wait_is_understood_in_seconds_and_in_dates(fake: Host) -> None:
    busy = [
        fake.says("/seconds", "429 Slow down", Retry_After="17"),
        fake.says("/date", "503 Busy", Retry_After="Tue, 01 Dec 2026 10:00:42 GMT", Date="Tue, 01 Dec 2026 10:00:00 GMT"),
        fake.says("/century", "429 Slow down", Retry_After="3153600000"),
    ]
    assert [(reply.outcome, reply.wait) for reply, _ in map(ask, busy)] == [
        ("throttled", 17),
        ("throttled", 42),
        ("throttled", 3600),
    ]


def test_a_packed_body_is_refused_before_it_can_unfold(fake: Host) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    reply, found = ask(fake.says("/a.jpg", body=bomb, Content_Encoding="gzip"))
    assert reply.outcome == "refused"
    assert b"\0" * 1000 not in found


def test_an_endless_body_ends_at_the_size_limit_and_an_announced_one_is_not_begun(fake: Host) -> None:
    def endless(visit: Visit) -> None:
        visit.say("HTTP/1.1 200 OK\r\n\r\n")
        visit.drip(bytes(1 << 16), 0)

    reply, found = ask(fake.does("/a.jpg", endless), most=1_000_000)
    assert (reply.outcome, len(found) <= 1_000_000) == ("refused", True)
    assert ask(fake.says("/b.jpg", body=PICTURE, Content_Length=10**9))[0].outcome == "refused"


@pytest.mark.parametrize(
    "before",
    ["", "HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"],
)
def test_a_host_that_drips_is_cut_off_when_the_time_is_over(fake: Host, before: str) -> None:
    def drip(visit: Visit) -> None:
        visit.say(before)
        visit.drip(b"x", 0.05)

    began = time.monotonic()
    reply, _ = ask(fake.does("/a.jpg", drip))
    assert (reply.outcome, reply.reason) == ("failed", "The host was too slow.")
    assert 1.5 < time.monotonic() - began < 5


def test_a_host_that_says_nothing_is_left_after_the_read_limit(fake: Host) -> None:
    reply, _ = ask(fake.does("/a.jpg", lambda visit: visit.drip(b"", 0.2)), limits=Limits(read=0.3, total=30))
    assert (reply.outcome, reply.reason) == ("failed", "The host was too slow.")


def test_a_cut_connection_and_a_wrong_length_are_failures_that_may_pass(fake: Host) -> None:
    short = fake.says("/a.jpg", body=PICTURE, Content_Length=len(PICTURE) + 1)
    assert ask(short)[0].reason == f"The connection ended after {len(PICTURE)} of {len(PICTURE) + 1} bytes."
    assert ask(fake.does("/b.jpg", lambda visit: None))[0].outcome == "failed"
    cut = fake.says("/c.jpg", body=b"ff\r\nabc", Content_Length=None, Transfer_Encoding="chunked")
    assert ask(cut)[0].outcome == "failed"
    assert ask(fake.does("/d.jpg", lambda visit: visit.say("SSH-2.0-OpenSSH_9\r\n")))[0].outcome == "failed"


def test_a_body_longer_than_announced_is_read_to_its_announced_end(fake: Host) -> None:
    assert ask(fake.says("/a.jpg", body=PICTURE + b"tail", Content_Length=len(PICTURE)))[1] == PICTURE


def test_nobody_answers_at_a_closed_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert ask(f"http://127.0.0.1:{port}/")[0].outcome == "failed"


def test_redirects_are_followed_four_times_and_not_a_fifth(fake: Host) -> None:
    fake.says("/0", body=PICTURE)
    for number in range(1, 6):
        fake.says(f"/{number}", "302 Found", Location=f"/{number - 1}")
    assert ask(fake.url("/4"))[1] == PICTURE
    reply, _ = ask(fake.url("/5"))
    assert (reply.outcome, len(fake.visits)) == ("refused", 10)
    loop = fake.says("/loop", "301 Moved", Location="/loop")
    assert ask(loop)[0].outcome == "refused"


@pytest.mark.parametrize(
    "location",
    ["http://10.0.0.1/", "http://169.254.169.254/latest/", "//192.168.0.1/", "file:///etc/passwd", "gopher://h.example/", "ftp://h.example/",
     "data:image/png;base64,", "http://u@h.example/", "http://[::1", "http://\\evil.example/", "http://localhost/", "", "http://127.0.0.1:22/"],
)  # fmt: skip
def test_a_redirect_passes_the_same_checks(fake: Host, location: str) -> None:
    rules = policy(own_hosts=[], allow=[f"127.0.0.1:{fake.port}"])
    url = fake.says("/a.jpg", "302 Found", Location=location)
    assert Door(rules, "tests", resolve=nobody, limits=LIMITS).fetch(url, io.BytesIO(), Expected(1 << 20)).outcome == "refused"
    assert len(fake.visits) == 1


@pytest.mark.parametrize(
    "answers", [["10.0.0.1"], ["127.0.0.1", "10.0.0.1"], ["::1"], ["8.8.8.8", "fd00:ec2::254"], ["::ffff:10.0.0.1"], ["nonsense"]]
)
def test_a_name_is_refused_if_any_of_its_addresses_is_closed(fake: Host, answers: list[str]) -> None:
    reply, _ = ask(fake.url("/a.jpg", "pictures.example"), resolve=lambda name, port: answers)
    assert reply.outcome == "refused"
    assert not fake.visits


def test_a_name_that_changes_its_mind_is_never_asked_twice(fake: Host) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    reply, _ = ask(
        fake.says("/a.jpg", body=PICTURE).replace("127.0.0.1", "rebind.example"), resolve=lambda name, port: next(answers)
    )
    assert reply.outcome == "fetched"
    assert next(answers) == ["10.0.0.1"]


def test_a_redirect_to_a_name_that_has_changed_its_mind_is_refused(fake: Host) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    fake.says("/a.jpg", "302 Found", Location="/b.jpg")
    reply, _ = ask(fake.url("/a.jpg", "rebind.example"), resolve=lambda name, port: next(answers))
    assert reply.outcome == "refused"
    assert len(fake.visits) == 1


def test_a_name_that_does_not_resolve_may_do_so_later() -> None:
    def fails(name: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure")

    assert ask("http://pictures.example/", resolve=fails)[0].outcome == "failed"
    assert ask("http://pictures.example/", resolve=lambda name, port: [])[0].outcome == "failed"


def test_a_resolver_that_does_not_answer_is_not_waited_for() -> None:
    late = Event()
    reply, _ = ask("http://pictures.example/", resolve=lambda name, port: [str(late.wait(20))], limits=Limits(connect=0.2))
    late.set()
    assert (reply.outcome, reply.reason) == ("failed", "The host was too slow.")


def test_the_first_address_that_answers_is_taken(fake: Host) -> None:
    rules = policy(own_hosts=[], allow=["127.0.0.1", "127.0.0.2"])
    out = io.BytesIO()
    made = Door(rules, "tests", resolve=lambda name, port: ["127.0.0.2", "127.0.0.1"], limits=LIMITS)
    assert (
        made.fetch(fake.says("/a.jpg", body=PICTURE).replace("127.0.0.1", "p.example"), out, Expected(1 << 20)).outcome
        == "fetched"
    )


@pytest.mark.parametrize(("names", "outcome"), [(["pictures.example"], "fetched"), (["other.example", "127.0.0.1"], "refused")])
def test_a_certificate_must_be_for_the_name_that_was_asked(tmp_path: Path, names: list[str], outcome: str) -> None:
    path = certificate(tmp_path, *names)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    with host(server) as fake:
        fake.says("/a.jpg", body=PICTURE)
        url = fake.url("/a.jpg", "pictures.example")
        assert ask(url, trust=ssl.create_default_context(cafile=str(path)))[0].outcome == outcome
        assert ask(url)[0].outcome == "refused"  # nobody vouches for it


def test_no_redirect_leads_from_https_to_http(tmp_path: Path, fake: Host) -> None:
    path = certificate(tmp_path, "pictures.example")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    with host(server) as safe:
        safe.says("/a.jpg", "302 Found", Location=fake.says("/a.jpg", body=PICTURE))
        reply, _ = ask(safe.url("/a.jpg", "pictures.example"), trust=ssl.create_default_context(cafile=str(path)))
    assert (reply.outcome, fake.visits) == ("refused", [])


def test_the_products_own_door_is_shut_towards_loopback_and_itself(fake: Host, settings: object) -> None:
    settings.ALLOWED_HOSTS = ["hardbench.example"]  # type: ignore[attr-defined]
    for url in (fake.url(), f"http://127.0.0.1:{fake.port}/", "http://hardbench.example/"):
        assert door().fetch(url, io.BytesIO(), Expected(1 << 20)).outcome == "refused"
    assert not fake.visits
    settings.OUTBOUND_ALLOW = [f"127.0.0.1:{fake.port}"]  # type: ignore[attr-defined]
    assert door().fetch(fake.says("/a.jpg", body=PICTURE), io.BytesIO(), Expected(1 << 20)).outcome == "fetched"


def test_max_is_warned_of_a_door_that_stands_ajar(settings: object) -> None:
    def found(allow: list[str], debug: bool) -> list[str | None]:
        settings.OUTBOUND_ALLOW, settings.DEBUG = allow, debug  # type: ignore[attr-defined]
        return [message.id for message in door_is_shut()]

    assert found([], False) == found(["127.0.0.1:80"], True) == []
    assert found(["127.0.0.1:80"], False) == ["hardbench.W002"]
    assert found(["localhost"], True) == ["hardbench.E006"]
