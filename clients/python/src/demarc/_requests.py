import asyncio
import json
import os
import platform
import random
import secrets
import time
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote

import httpx

from ._errors import DemarcError, failure
from ._version import __version__

_PASSING = {0, 429, 502, 503, 504}
_LONGEST_PAUSE_SECONDS = 30.0


class _Base:
    """Shared by both clients: settings, request encoding, and errors."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout_seconds: float = 60,
        retries: int = 2,
    ) -> None:
        """
        base_url: URL of the API, without /v1. Default: the variable DEMARC_URL.
        api_key: default: the variable DEMARC_API_KEY.
        timeout_seconds: limit for one attempt until its response is complete. 0: no limit.
        retries: tries after the first one, of what may be repeated without harm.
        """
        url = base_url if base_url is not None else os.environ.get("DEMARC_URL")
        if not url:
            raise ValueError("base_url is required: pass it, or set DEMARC_URL.")
        self._base_url = url.rstrip("/")
        key = api_key if api_key is not None else os.environ.get("DEMARC_API_KEY")
        self._headers = {"user-agent": f"demarc-python/{__version__} python/{platform.python_version()}"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        self._timeout_seconds = timeout_seconds
        self._retries = retries

    def _timeout(self, seconds: Optional[float]) -> Optional[float]:
        chosen = self._timeout_seconds if seconds is None else seconds
        return chosen if chosen > 0 else None

    def _written(
        self,
        method: str,
        path: str,
        values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Optional[Mapping[str, Any]],
        key: Optional[str],
        if_match: Optional[str],
        headers: Optional[Mapping[str, str]] = None,
    ) -> Dict[str, Any]:
        for name, value in values.items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        all_headers = {**self._headers, **(headers or {})}
        if key is not None:
            all_headers["idempotency-key"] = key
        if if_match is not None:
            all_headers["if-match"] = if_match
        request: Dict[str, Any] = {
            "method": method,
            "url": self._base_url + path,
            "params": _parameters(query),
            "headers": all_headers,
        }
        if body is not None:
            files = {name: value for name, value in body.items() if _is_file(value)}
            if files:
                request["files"] = files
                request["data"] = {name: str(value) for name, value in body.items() if name not in files}
            else:
                request["content"] = json.dumps(body).encode()
                all_headers["content-type"] = "application/json"
        return request

    def _key(self, method: str, given: Optional[str]) -> Optional[str]:
        if given is None and method == "POST" and self._retries > 0:
            return secrets.token_hex(16)
        return given

    def _pause(self, error: DemarcError, method: str, key: Optional[str], failures: int) -> Optional[float]:
        """Seconds until the next attempt; None: do not retry."""
        may_pass = error.status in _PASSING or error.code == "IDEMPOTENCY_KEY_IN_USE"
        if not may_pass or failures >= self._retries or (method != "GET" and key is None):
            return None
        after = error.retry_after_seconds
        seconds = 0.5 * 2**failures if after is None else after
        # Jitter of up to a quarter, so that clients do not retry at the same moment.
        return min(seconds * (1 + random.random() / 4), _LONGEST_PAUSE_SECONDS)

    def _no_answer(self, error: Exception) -> DemarcError:
        if isinstance(error, (httpx.TimeoutException, asyncio.TimeoutError)):
            return failure(f"{self._base_url} did not answer in time.", status=0, code="TIMEOUT")
        return failure(f"No answer from {self._base_url}: {error!r}", status=0, code="NO_ANSWER")


class Requests(_Base):
    """Base of the generated client."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        http: Optional[httpx.Client] = None,
        **settings: Any,
    ) -> None:
        """http: the httpx client to use. Default: a new one."""
        super().__init__(base_url, api_key, **settings)
        self._http = http or httpx.Client()

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _json(self, method: str, path: str, **request: Any) -> Any:
        return _content(self._raw(method, path, **request))

    def _raw(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        key = self._key(method, idempotency_key)
        written = self._written(method, path, values, query, body, key, if_match)
        timeout = self._timeout(timeout_seconds)
        failures = 0
        while True:
            try:
                return self._once(written, timeout)
            except DemarcError as error:
                pause = self._pause(error, method, key, failures)
                if pause is None:
                    raise
            failures += 1
            time.sleep(pause)

    def _once(self, written: Dict[str, Any], timeout: Optional[float]) -> httpx.Response:
        # The limits of httpx apply to each read, so a response in small pieces would have no limit.
        end = None if timeout is None else time.monotonic() + timeout
        try:
            with self._http.stream(**written, timeout=timeout) as answer:
                parts: List[bytes] = []
                for part in answer.iter_bytes():
                    parts.append(part)
                    if end is not None and time.monotonic() > end:
                        raise httpx.ReadTimeout("The answer was not complete in time.")
                answer._content = b"".join(parts)
        except httpx.HTTPError as error:
            raise self._no_answer(error) from error
        return _succeeded(answer)


class AsyncRequests(_Base):
    """Base of the generated asynchronous client."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        http: Optional[httpx.AsyncClient] = None,
        **settings: Any,
    ) -> None:
        """http: the httpx client to use. Default: a new one."""
        super().__init__(base_url, api_key, **settings)
        self._http = http or httpx.AsyncClient()

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def _json(self, method: str, path: str, **request: Any) -> Any:
        return _content(await self._raw(method, path, **request))

    async def _raw(
        self,
        method: str,
        path: str,
        *,
        values: Mapping[str, str],
        query: Mapping[str, Any],
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        timeout_seconds: Optional[float] = None,
    ) -> httpx.Response:
        key = self._key(method, idempotency_key)
        written = self._written(method, path, values, query, body, key, if_match)
        timeout = self._timeout(timeout_seconds)
        failures = 0
        while True:
            try:
                return await self._once(written, timeout)
            except DemarcError as error:
                pause = self._pause(error, method, key, failures)
                if pause is None:
                    raise
            failures += 1
            await asyncio.sleep(pause)

    async def _once(self, written: Dict[str, Any], timeout: Optional[float]) -> httpx.Response:
        try:
            answer = await asyncio.wait_for(self._http.request(**written, timeout=timeout), timeout)
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise self._no_answer(error) from error
        return _succeeded(answer)


def _is_file(value: Any) -> bool:
    return isinstance(value, (bytes, tuple)) or hasattr(value, "read")


def _parameters(query: Mapping[str, Any]) -> List[Tuple[str, str]]:
    """Returns the query parameters that are set, as in `a=1&metadata[b]=2`."""
    found: List[Tuple[str, str]] = []
    for name, value in query.items():
        if value is None or value == "":
            continue
        if isinstance(value, Mapping):
            found.extend((f"{name}[{key}]", _text(inner)) for key, inner in value.items())
        elif isinstance(value, (list, tuple)):
            found.extend((name, _text(each)) for each in value)
        else:
            found.append((name, _text(value)))
    return found


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _content(answer: httpx.Response) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError as error:
        raise _failure_of(answer) from error


def _succeeded(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    raise _failure_of(answer)


def _failure_of(answer: httpx.Response) -> DemarcError:
    try:
        content = json.loads(answer.content)
    except ValueError:
        content = None
    errors = content.get("errors") if isinstance(content, dict) else None
    faults = errors if isinstance(errors, list) else []
    texts = [f"{fault['path']}: {fault['message']}" if "path" in fault else fault["message"] for fault in faults]
    try:
        wait: Optional[float] = float(answer.headers.get("retry-after", ""))
    except ValueError:
        wait = None
    return failure(
        "; ".join(texts) or f"The answer (HTTP {answer.status_code}) is not one of Demarc's.",
        status=answer.status_code,
        code=faults[0]["error"] if faults else "UNREADABLE",
        faults=faults,
        retry_after_seconds=wait,
        request_id=answer.headers.get("x-request-id"),
    )
