"""What an S3-compatible server answers, as errors of ours. Answers are never repeated: they may hold keys and signatures."""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

from annotation.storage.door import StorageFault, StorageShut, missing

PRECONDITION_FAILED, CONFLICT, UNSATISFIABLE = 412, 409, 416


class Present(Exception):
    """A write that should make something new found something there."""


class PastTheEnd(Exception):
    """A range begins behind the last byte."""


@contextmanager
def told(key: str) -> Iterator[None]:
    """Raises NoSuchKey, Present, PastTheEnd, StorageShut and StorageFault for what the server's answers and silences mean."""
    try:
        yield
    except ClientError as error:
        status, code = _status(error), code_of(error)
        if status == 404 and code not in ("NoSuchBucket", "NoSuchUpload"):
            raise missing(key) from None
        if status == PRECONDITION_FAILED or (status == CONFLICT and code == "ConditionalRequestConflict"):
            raise Present from None
        if status == UNSATISFIABLE:
            raise PastTheEnd from None
        raise (StorageShut if status in (401, 403) else StorageFault)(_said(status, code)) from None
    except (NoCredentialsError, PartialCredentialsError):
        raise StorageFault("The storage needs log-in data: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.") from None
    except BotoCoreError as error:
        remedy = "check the endpoint in STORAGE_URL and the network"
        raise StorageFault(f"The storage cannot be reached ({type(error).__name__}): {remedy}.") from None


def _said(status: int, code: str) -> str:
    if code == "NoSuchBucket":
        return "There is no such bucket: make it, or correct STORAGE_URL."
    if status in (401, 403):
        return f"The storage does not let us in ({code}): check the log-in data, and what the bucket's policy allows."
    if status == 429 or status >= 500:
        return f"The storage is overloaded or out of order ({code}): it is tried again later."
    return f"The storage refused a request ({status} {code}): look at the server's own log."


def _status(error: ClientError) -> int:
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def code_of(error: ClientError) -> str:
    """The short code of an answer; anything longer is no code and is left out."""
    code = str(error.response.get("Error", {}).get("Code", ""))
    return code if code.isalnum() and len(code) <= 60 else "no code"
