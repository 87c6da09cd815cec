"""Pages: how many, from where, and what every connection says about its end."""

from typing import Final, TypeVar

import strawberry
from strawberry import field

from consilience.errors import InvalidInput
from consilience.resolvers.scalars import Cursor
from consilience.schema.domain import Page

T = TypeVar("T")
DEFAULT_FIRST: Final = 20
MAX_FIRST: Final = 100


def page_size(first: int | None, *, default: int = DEFAULT_FIRST) -> int:
    """`first` in 1..100; null means the default. Raises InvalidInput outside."""
    wanted = default if first is None else first
    if not 1 <= wanted <= MAX_FIRST:
        raise InvalidInput(f"first is {wanted}", hint=f"ask for 1 to {MAX_FIRST} and page with after", field="first")
    return wanted


@strawberry.type(description="Whether and from where a connection goes on.")
class PageInfo:
    has_next_page: bool = field(description="More nodes follow.")
    end_cursor: Cursor | None = field(description="Pass it as `after` to get them; null on an empty page.")


def page_info(page: Page[T]) -> PageInfo:
    """The end of a page from the store."""
    return PageInfo(has_next_page=page.has_next, end_cursor=None if page.end_cursor is None else Cursor(page.end_cursor))


LAST_PAGE: Final = PageInfo(has_next_page=False, end_cursor=None)
