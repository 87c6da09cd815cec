"""Options of the commands about beliefs."""

from typing import Annotated, TypeAlias

import typer

First: TypeAlias = Annotated[int, typer.Option("-n", "--first", min=1, max=100, help="How many at most.")]
After: TypeAlias = Annotated[
    str | None, typer.Option("--after", metavar="CURSOR", help="Go on where a page ended: the cursor it printed.", show_default=False)
]
Note: TypeAlias = Annotated[str | None, typer.Option("--note", metavar="TEXT", help="Why, for the record.", show_default=False)]
