"""The connection to a bucket, made by django-storages: where log-in data come from is its business, patience is ours."""

from typing import TYPE_CHECKING, Any

from annotation.storage_urls import Bucket

if TYPE_CHECKING:
    from botocore.config import Config
    from storages.backends.s3 import S3Storage as DjangoStorage

ATTEMPTS = 5
CONNECT_SECONDS, READ_SECONDS = 5, 60
CONNECTIONS = 32


def backend(place: Bucket) -> "DjangoStorage":
    """django-storages' own storage for a bucket. Everything that it would read from AWS_… settings is said here."""
    from storages.backends.s3 import S3Storage  # half a second and 30 MB, which an installation with a folder is spared

    return S3Storage(
        bucket_name=place.name,
        location=place.prefix,
        endpoint_url=place.endpoint or None,
        region_name=place.region,
        default_acl=None,
        querystring_auth=True,
        custom_domain=None,
        object_parameters={},
        client_config=_config(place),
    )


def client(place: Bucket) -> Any:
    """A client with our log-in data; several threads may use it."""
    return backend(place).connection.meta.client


def stranger(place: Bucket) -> Any:
    """A client without any, for seeing what everybody sees."""
    return backend(place).unsigned_connection.meta.client


def _config(place: Bucket) -> "Config":
    from botocore.config import Config

    return Config(
        signature_version="s3v4",
        s3={"addressing_style": place.style},
        retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        max_pool_connections=CONNECTIONS,
        # Sums are sent and compared by `uploads`; many servers do not know the ones that are added otherwise.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
        ignore_configured_endpoint_urls=True,
    )
