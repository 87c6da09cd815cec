"""What an embedder is, and how one is found by the name in the settings."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from consilience.errors import CannotStart


class Embedder(Protocol):
    """A model that places texts of any language in one space. Safe to share between threads.

    `id` names model and version: vectors of two ids are never compared. `dimensions` is the length of each vector.
    """

    @property
    def id(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, in order, of length 1; shape (len(texts), dimensions), also for no texts at all."""
        ...


def load_embedder(name: str) -> Embedder:
    """The embedder of this name, loaded and ready. The second call of a process returns the same one.

    Raises CannotStart when the name is unknown or its model cannot be loaded.
    """
    if name != "use":
        raise CannotStart(
            f"no embedder is called {name!r}", hint="set CONSILIENCE_EMBEDDER=use, the one that comes with Consilience", field="embedder"
        )
    from consilience.embedding.use import load_use  # the model's package is read only when it is asked for

    return load_use()
