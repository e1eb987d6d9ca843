"""Celery: look at a unit of work, and sweep. A message holds an id; everything else is in Postgres."""

import logging
import socket
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from kombu.exceptions import OperationalError

from annotation import journal, scratch, work
from annotation.errors import DomainError
from annotation.generation.operations import finish_runs
from annotation.images.operations import settle_abandoned
from annotation.models import WorkUnit
from annotation.questions.intake import promote_arrived
from annotation.review.operations import expire_leases
from annotation.storage import StorageFault
from annotation.tasks.handlers import HANDLERS

log = logging.getLogger(__name__)
WORKER = socket.gethostname()


@shared_task(name="annotation.tasks.work.look")
def look(unit_id: int) -> None:
    """Claim the unit and do it, if it is still to be done. Running twice, or late, is harmless."""
    lease = work.claim(unit_id=unit_id, worker=WORKER)
    if lease is not None:
        do(lease)


def do(lease: work.Lease) -> None:
    """Call the verb of the unit's kind and write down how it ended."""
    verb: Callable[[dict[str, Any]], dict[str, Any]] = HANDLERS[lease.unit.kind]
    end = partial(work.retry_later, reason="The program failed; the worker's log has the details.")
    try:
        end = partial(work.finish, result=verb(lease.unit.payload))
    except DomainError as refusal:
        end = partial(work.park, reason=refusal.message)
    except work.NotYet as early:
        end = partial(work.postpone, reason=str(early), seconds=early.seconds)
    except (work.PassingFailure, StorageFault) as failure:
        end = partial(work.retry_later, reason=str(failure))
    except SoftTimeLimitExceeded:
        end = partial(work.retry_later, reason="It took longer than one attempt may take.")
    finally:
        # Also after a fault of the program, which goes on to Celery's log: the unit must not wait for its lease to end.
        end(lease=lease)


@shared_task(name="annotation.tasks.work.sweep")
def sweep() -> None:
    """Free overdue seats, hand overdue units out again, send a message for whatever is due, seal the journal in
    time, and clear away what killed processes left on this machine."""
    expire_leases()
    send(work.sweep())
    settle_abandoned()
    promote_arrived()
    finish_runs()
    journal.seal_when_due()
    scratch.clear()


def send(units: Iterable[WorkUnit]) -> None:
    """Tell workers to look. Without a broker nothing is lost: the next sweep sends again."""
    for unit in units:
        try:
            look.apply_async(args=(unit.pk,), queue=unit.queue, ignore_result=True)
        except OperationalError as error:
            log.warning("The broker did not take a message (%s); the sweep will send it again.", error)
            return
