"""Next and vote through the real application: latency, statements, and how they hold from ten thousand to a million items.

Votes carry what a minute's search leaves: 120 viewport samples and a box. A third of them settle their item, as in work
where three votes are needed. Nobody thinks between requests. Load and server share the machine's cores.
"""

import logging
import multiprocessing
import os
import random
import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from django.db import connection

from benchmarks import databases, harness
from benchmarks.databases import HALF, MILLION, TEN_THOUSAND, Scale
from benchmarks.harness import Browser, Figure, Poster, figure, percentile

NEXT, VOTE = "/api/v1/review/next", "/api/v1/review/votes"
ROUNDS, CYCLES, WARM_UP = 8, 50, 5
PROCESSES, THREADS, SECONDS = 2, 4, 2.5
FIRST_MEASURED, HEAVY = 69, 66
FLAT = 1.5
NEXT_STATEMENTS, VOTE_STATEMENTS = 4, 8
LABEL_STUDIO_VOTES, DOCCANO_VOTES, POTATO_VOTES = 6.8, 16.6, 10.1
LABEL_STUDIO_STATEMENTS = 116
LABEL_STUDIO_NEXT_MS = 501


@dataclass(slots=True)
class Times:
    """Milliseconds per request, the statements of each, and how long one thread worked, in seconds."""

    next: list[float] = field(default_factory=list)
    vote: list[float] = field(default_factory=list)
    next_statements: list[int] = field(default_factory=list)
    vote_statements: list[int] = field(default_factory=list)
    seconds: float = 0.0


def sum_of(parts: Sequence[Times]) -> Times:
    """All requests of several people or rounds together."""
    whole = Times(seconds=sum(part.seconds for part in parts))
    for part in parts:
        for name in ("next", "vote", "next_statements", "vote_statements"):
            getattr(whole, name).extend(getattr(part, name))
    return whole


Rounds = dict[str, list[Times]]
"""By the title of the case, one entry per round."""


@dataclass(frozen=True, slots=True)
class Case:
    """What is measured: on which database, by which person (the first of them where several work at once)."""

    title: str
    scale: Scale
    person: int


BASE = Case("10,000 items", TEN_THOUSAND, FIRST_MEASURED)
CASES = [
    BASE,
    Case("1 million items", MILLION, FIRST_MEASURED),
    Case("1 million, half complete", HALF, FIRST_MEASURED),
    Case("1 million, half complete, 60,000 own votes", HALF, HEAVY),
]


def speed() -> list[Figure]:
    """Next and vote with one client and with eight, on each database."""
    names = {case.title: databases.ensure(case.scale, anew=case is BASE) for case in CASES}  # a small one is soon used up
    quiet()
    counted = {case.title: count(names[case.title], case.person) for case in CASES}
    alone: Rounds = {case.title: [] for case in CASES}
    for turn in range(ROUNDS):
        for case in in_turn(turn):
            alone[case.title].append(work_alone(names[case.title], case.person))
    connection.close()
    together = work_together(names)
    return [*figures_alone(alone), *figures_of_statements(counted), *figures_together(together)]


def in_turn(turn: int) -> list[Case]:
    """All cases, another one first each time: whatever else the machine does meets all of them alike."""
    first = turn % len(CASES)
    return CASES[first:] + CASES[:first]


def ballot(token: str, dice: random.Random) -> dict[str, Any]:
    """A vote as the workspace sends it after a minute: half of them absent, half with an answer, all with a box."""
    walk = [
        {
            "t": 500 * n,
            "x": 50 * (n % 100),
            "y": 30 * (n % 90),
            "w": 1400.0,
            "h": 900.0,
            "s": dice.choice((0.25, 0.5, 1.0)),
            "r": 0,
        }
        for n in range(120)
    ]
    seen = {"kind": "box", "boxes": [[10, 10, 60, 60]]}
    common = {"assignment": token, "evidence": seen, "active_ms": 60_000, "confidence": 4, "comment": "", "trace": walk}
    if dice.random() < 0.5:
        return {**common, "verdict": "answerable", "answer": "a stool"}
    return {**common, "verdict": "unanswerable", "premise": "object"}


def cycle(browser: Poster, dice: random.Random) -> tuple[float, float]:
    """One item: fetched and voted on; fails loudly if either is refused."""
    status, task, fetched = browser.post(NEXT, {})
    assert status == 200, (status, task)
    assert task["assignment"], task
    body = ballot(task["assignment"]["token"], dice)
    status, answer, voted = browser.post(VOTE, body, key=str(uuid.UUID(int=dice.getrandbits(128))))
    assert status == 201, (status, answer)
    return fetched, voted


def work_alone(name: str, person: int) -> Times:
    """One client for CYCLES items, after a warm-up that is not counted."""
    databases.use(name, "default")
    browser, dice, times = Browser(person), random.Random(), Times()
    for number in range(WARM_UP + CYCLES):
        fetched, voted = cycle(browser, dice)
        if number >= WARM_UP:
            times.next.append(fetched)
            times.vote.append(voted)
    return times


def count(name: str, person: int) -> Times:
    """Statements on the wire, of each request on its own."""
    databases.use(name, "default")
    browser, dice, times = Browser(person), random.Random(), Times()
    for _number in range(CYCLES):
        with harness.wire() as sent:
            _status, task, _took = browser.post(NEXT, {})
        times.next_statements.append(harness.asking(sent))
        with harness.wire() as sent:
            status, answer, _took = browser.post(VOTE, ballot(task["assignment"]["token"], dice), key=str(uuid.uuid4()))
        assert status == 201, answer
        times.vote_statements.append(harness.asking(sent))
    return times


def work_together(names: dict[str, str]) -> Rounds:
    """Eight people at once, two processes of four threads, as the web server of the product runs."""
    together: Rounds = {case.title: [] for case in CASES}
    with ExitStack() as stack:
        context = multiprocessing.get_context("spawn")
        pools = [stack.enter_context(ProcessPoolExecutor(1, mp_context=context, initializer=quiet)) for _ in range(PROCESSES)]
        for pool in pools:
            pool.submit(quiet).result()  # started before the first measurement
        for case in [case for turn in range(ROUNDS) for case in in_turn(turn)]:
            jobs = [pool.submit(work_in_threads, names[case.title], some) for pool, some in zip(pools, people(case), strict=True)]
            together[case.title].append(sum_of([job.result() for job in jobs]))
    return together


def people(case: Case) -> Iterator[list[int]]:
    """Who works in each process: in a heavy case two of the eight are heavy."""
    everybody = list(range(FIRST_MEASURED, FIRST_MEASURED + PROCESSES * THREADS))
    if case.person == HEAVY:
        everybody[0], everybody[THREADS] = HEAVY, HEAVY + 1
    for number in range(PROCESSES):
        yield everybody[number * THREADS : (number + 1) * THREADS]


def quiet() -> None:
    """Requests are logged as in production, but to nowhere."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(open(os.devnull, "w"))  # noqa: SIM115  # for the life of the process


def work_in_threads(name: str, persons: Sequence[int]) -> Times:
    """What the threads of one process did; called in that process."""
    databases.use(name, "default")
    with ThreadPoolExecutor(len(persons)) as pool:
        return sum_of(list(pool.map(work_for_a_while, persons)))


def work_for_a_while(person: int) -> Times:
    times = timed_work(Browser(person))
    connection.close()
    return times


def timed_work(browser: Poster) -> Times:
    """Items one after the other for SECONDS, after a warm-up."""
    dice, times = random.Random(), Times()
    for _number in range(WARM_UP):
        cycle(browser, dice)
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        fetched, voted = cycle(browser, dice)
        times.next.append(fetched)
        times.vote.append(voted)
    times.seconds = time.perf_counter() - start
    return times


def figures_alone(alone: Rounds) -> list[Figure]:
    return [row for title in alone for what in ("next", "vote") for row in latency(what, "one client", title, alone)]


def latency(what: str, clients: str, title: str, measured: Rounds) -> list[Figure]:
    """Median and 95th percentile over all rounds. The latter's ratio is the median of the ratios within each round."""
    rounds, base = ([getattr(times, what) for times in measured[name]] for name in (title, BASE.title))
    taken = [ms for times in rounds for ms in times]
    ratio = median(percentile(ours, 0.95) / percentile(small, 0.95) for ours, small in zip(rounds, base, strict=True))
    name, target, rival = f"{what}, {clients}, {title}", f"ratio at most {FLAT}", "the same at 10,000 items, round by round"
    return [
        figure(f"{name}, p50", percentile(taken, 0.5), "ms"),
        figure(f"{name}, p95", percentile(taken, 0.95), "ms", target=target, rival=rival, ratio=ratio),
    ]


def figures_of_statements(counted: dict[str, Times]) -> list[Figure]:
    rows = []
    for title, times in counted.items():
        asked, voted = max(times.next_statements), max(times.vote_statements)
        rows.append(figure(f"statements per next, {title}", asked, "statements", target=f"at most {NEXT_STATEMENTS}"))
        rows.append(figure(f"statements per vote, {title}", voted, "statements", target=f"at most {VOTE_STATEMENTS}"))
    asked = max(counted[BASE.title].next_statements) + max(counted[BASE.title].vote_statements)
    rival = f"Label Studio 1.23: {LABEL_STUDIO_STATEMENTS}"
    rows.append(figure("statements per next and vote", asked, "statements", rival=rival, ratio=asked / LABEL_STUDIO_STATEMENTS))
    return rows


def figures_together(together: Rounds) -> list[Figure]:
    rows = []
    for title, rounds in together.items():
        rate = rate_of(sum_of(rounds))
        rows.append(figure(f"votes a second, 8 clients, {title}", rate, "votes/s", rival=RIVALS, ratio=rate / DOCCANO_VOTES))
        for what in ("next", "vote"):
            rows += latency(what, "8 clients", title, together)
    return rows


def rate_of(times: Times) -> float:
    """Votes a second of eight clients, from the sum of the seconds that each worked."""
    return len(times.vote) / (times.seconds / (PROCESSES * THREADS))


RIVALS = f"doccano 1.8 (the fastest): {DOCCANO_VOTES}; Potato 2.12: {POTATO_VOTES}; Label Studio 1.23: {LABEL_STUDIO_VOTES}"
MEASURES = {"review": speed}
