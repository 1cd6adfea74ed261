from typing import Any, Dict, List, Optional, Type, TypedDict

from typing import NotRequired


class Fault(TypedDict):
    """One thing that was wrong with a request."""

    error: str
    message: str
    path: NotRequired[str]


class DemarcError(Exception):
    """A request that did not succeed. Its subclasses name the kinds of failures.

    status: HTTP status; 0: no answer.
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
        """What is wrong with that field, where the API says it."""
        return next((fault["message"] for fault in self.faults if fault.get("path") == path), None)


class ConnectionError(DemarcError):
    """No answer: the connection failed, or the time was over."""


class InvalidRequestError(DemarcError):
    """400: the request is wrong; `faults` and `at("field")` say where."""


class AuthenticationError(DemarcError):
    """401: the API key is missing or wrong."""


class PermissionError(DemarcError):
    """403: the key may not do this."""


class NotFoundError(DemarcError):
    """404: there is no such object in the organization."""


class ConflictError(DemarcError):
    """409 and 412: the object is not in a state for this, or has changed."""


class RateLimitError(DemarcError):
    """429: too many requests; `retry_after_seconds` says when to send the next one."""


class ServiceError(DemarcError):
    """5xx: the service failed, or something that it needs is down."""


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
    """The error of the class that belongs to the status."""
    kind = _CLASSES.get(status, ServiceError if status >= 500 else DemarcError)
    return kind(message, status=status, **facts)
