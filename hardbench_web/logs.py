"""Logging: one line per event; coloured for people on a terminal, JSON for machines."""

from typing import Any

import structlog

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def logging_config(*, level: str, as_json: bool) -> dict[str, Any]:
    """Django's LOGGING; also sets up structlog's own loggers the same way."""
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    last = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.format_exc_info, renderer]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": structlog.stdlib.ProcessorFormatter, "foreign_pre_chain": SHARED, "processors": last}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["console"], "level": level},
        # When they explain themselves, what they sign and the tokens they sign with stand in the log.
        "loggers": {name: {"level": "WARNING"} for name in ("boto3", "botocore", "s3transfer", "urllib3")},
    }
