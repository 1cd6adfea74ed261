"""A typed client of Demarc's HTTP API."""

from . import _types as types
from ._client import AsyncDemarc, Demarc
from ._entries import async_entries, entries
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionError,
    DemarcError,
    Fault,
    InvalidRequestError,
    NotFoundError,
    PermissionError,
    RateLimitError,
    ServiceError,
)
from ._events import LiveEvent
from ._version import __version__
from ._webhooks import WebhookSignatureError, verify_webhook

__all__ = [
    "AsyncDemarc",
    "AuthenticationError",
    "ConflictError",
    "ConnectionError",
    "Demarc",
    "DemarcError",
    "Fault",
    "InvalidRequestError",
    "LiveEvent",
    "NotFoundError",
    "PermissionError",
    "RateLimitError",
    "ServiceError",
    "WebhookSignatureError",
    "__version__",
    "async_entries",
    "entries",
    "types",
    "verify_webhook",
]
