from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, List, Optional


def entries(read: Callable[[Optional[str]], Any]) -> Iterator[Any]:
    """Yields all entries of a list, page by page.

    for call in entries(lambda after: demarc.call_records.list(direction="inbound", after=after)): ...
    """
    after: Optional[str] = None
    while True:
        page = read(after)
        yield from _entries_of(page)
        after = page["next"]
        if after is None:
            return


async def async_entries(read: Callable[[Optional[str]], Awaitable[Any]]) -> AsyncIterator[Any]:
    """Yields all entries of a list of an `AsyncDemarc`, page by page."""
    after: Optional[str] = None
    while True:
        page = await read(after)
        for entry in _entries_of(page):
            yield entry
        after = page["next"]
        if after is None:
            return


def _entries_of(page: Any) -> List[Any]:
    # Most lists are in `data`; that of `list_calls` is in the answer itself.
    data = page.get("data", page)
    if isinstance(data, list):
        return data
    return next((value for value in data.values() if isinstance(value, list)), [])
