import asyncio
import json
import random
import time
from dataclasses import dataclass
from typing import Any, AsyncIterator, Dict, Iterator, List, Optional

import httpx

from ._errors import ConnectionError, DemarcError
from ._requests import AsyncRequests, Requests, _failure_of

# The service sends a beat every four seconds; releases before 0.3 every five.
_SILENCE_SECONDS = 12.0
_PATH = "/v1/noc/events"


@dataclass(frozen=True)
class LiveEvent:
    """One event of the live stream (GET /v1/noc/events).

    event: `snapshot` first, then `summary`, `call`, `trunk`, `alert` and others.
    id: position in the stream; None: the event has none.
    """

    event: str
    data: Any
    id: Optional[str]


class _Reader:
    """Parses the lines of an event stream (WHATWG HTML §9.2.6)."""

    def __init__(self) -> None:
        self._event = "message"
        self._id: Optional[str] = None
        self._data: List[str] = []

    def line(self, line: str) -> Optional[LiveEvent]:
        if line == "":
            event = LiveEvent(self._event, json.loads("\n".join(self._data)), self._id) if self._data else None
            self.__init__()  # type: ignore[misc]
            return event
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._event = value
        elif name == "id":
            self._id = value
        elif name == "data":
            self._data.append(value)
        return None


class _Resumption:
    """Position at which the stream continues, and the delay before that."""

    def __init__(self, last: Optional[str]) -> None:
        self.last = last
        self.failures = 0

    @property
    def headers(self) -> Dict[str, str]:
        return {} if self.last is None else {"last-event-id": self.last}

    def take(self, event: LiveEvent) -> Optional[str]:
        """Returns what to do with the event: `yield`, `skip`, `again` or `over`."""
        self.failures = 0
        if event.event == "beat":
            return "skip"
        if event.event == "end":
            return "over" if event.data.get("reason") == "session" else "again"
        self.last = event.id or self.last
        return "yield"

    def pause(self, error: Optional[DemarcError]) -> float:
        """Raises errors that a retry cannot fix."""
        if error is not None and not isinstance(error, ConnectionError) and error.status < 500 and error.status != 429:
            raise error
        self.failures += 1
        return float(min(0.5 * 2 ** (self.failures - 1), 15.0) * (0.75 + random.random() / 2))


def _request(client: Any, query: Dict[str, Any], resumption: _Resumption) -> Dict[str, Any]:
    written: Dict[str, Any] = client._written("GET", _PATH, {}, query, None, None, None, resumption.headers)
    written["timeout"] = httpx.Timeout(10.0, read=_SILENCE_SECONDS)
    return written


def live_events(client: Requests, query: Dict[str, Any], last_event_id: Optional[str]) -> Iterator[LiveEvent]:
    resumption = _Resumption(last_event_id)
    while True:
        failed: Optional[DemarcError] = None
        try:
            with client._http.stream(**_request(client, query, resumption)) as answer:
                if not answer.is_success:
                    answer.read()
                    raise _failure_of(answer)
                reader = _Reader()
                for line in answer.iter_lines():
                    event = reader.line(line.rstrip("\r\n"))
                    what = None if event is None else resumption.take(event)
                    if what == "over":
                        return
                    if what == "again":
                        break
                    if what == "yield":
                        assert event is not None
                        yield event
        except httpx.HTTPError as error:
            failed = client._no_answer(error)
        except DemarcError as error:
            failed = error
        time.sleep(resumption.pause(failed))


async def async_live_events(
    client: AsyncRequests, query: Dict[str, Any], last_event_id: Optional[str]
) -> AsyncIterator[LiveEvent]:
    resumption = _Resumption(last_event_id)
    while True:
        failed: Optional[DemarcError] = None
        try:
            async with client._http.stream(**_request(client, query, resumption)) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise _failure_of(answer)
                reader = _Reader()
                async for line in answer.aiter_lines():
                    event = reader.line(line.rstrip("\r\n"))
                    what = None if event is None else resumption.take(event)
                    if what == "over":
                        return
                    if what == "again":
                        break
                    if what == "yield":
                        assert event is not None
                        yield event
        except httpx.HTTPError as error:
            failed = client._no_answer(error)
        except DemarcError as error:
            failed = error
        await asyncio.sleep(resumption.pause(failed))
