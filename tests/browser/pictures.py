"""Screenshots: kept in docs/images when CONSILIENCE_WRITE_IMAGES=1, else looked at and thrown away."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # installed for the browser tests only
    from playwright.async_api import Page

IMAGES: Final = Path(__file__).resolve().parents[2] / "docs" / "images"


async def take(page: "Page", name: str, *, folder: Path) -> None:
    """The page as a picture, in docs/images or in `folder`; it must not be blank. Leaves the page.

    A picture of one colour packs into almost nothing, so this one is compared with an empty page of the same size.
    """
    to = IMAGES if os.environ.get("CONSILIENCE_WRITE_IMAGES") == "1" else folder
    picture = await page.screenshot(path=to / f"{name}.png")
    await page.goto("about:blank")
    empty = await page.screenshot()
    assert len(picture) > 5 * len(empty)
