from typing import Any, Dict, List, Optional, Type, TypedDict

from typing import NotRequired


class Fault(TypedDict):
    """One problem with a request."""

    error: str
    message: str
    path: NotRequired[str]


class DemarcError(Exception):
    """A failed request. The subclasses name the kinds of failures.

    status: HTTP status; 0: no response.
    code: the API's own, or NO_ANSWER, TIMEOUT, UNREADABLE.
    request_id: names the request in the service's log.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        faults: Optional[List[Fault]] = None,
        retry_after_seconds: Optional[float] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.faults = faults or []
        self.retry_after_seconds = retry_after_seconds
        self.request_id = request_id

    def at(self, path: str) -> Optional[str]:
        """The problem with that field; None: the API named none."""
        return next((fault["message"] for fault in self.faults if fault.get("path") == path), None)


class ConnectionError(DemarcError):
    """No response: the connection failed or timed out."""


class InvalidRequestError(DemarcError):
    """400: the request is invalid; `faults` and `at("field")` say where."""


class AuthenticationError(DemarcError):
    """401: the API key is missing or wrong."""


class PermissionError(DemarcError):
    """403: the key may not do this."""


class NotFoundError(DemarcError):
    """404: the organization has no such object."""


class ConflictError(DemarcError):
    """409 and 412: the state of the object does not allow the request, or the object has changed."""


class RateLimitError(DemarcError):
    """429: too many requests; `retry_after_seconds` says when to send the next one."""


class ServiceError(DemarcError):
    """5xx: the service, or a component that it needs, failed."""


_CLASSES: Dict[int, Type[DemarcError]] = {
    0: ConnectionError,
    400: InvalidRequestError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    429: RateLimitError,
}


def failure(message: str, *, status: int, **facts: Any) -> DemarcError:
    """Returns the error of the class for the status."""
    kind = _CLASSES.get(status, ServiceError if status >= 500 else DemarcError)
    return kind(message, status=status, **facts)
