"""What two texts share as strings: exact digests, and MinHash fingerprints that survive small edits. Says nothing about meaning."""

import hashlib
import re
import zlib
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from consilience.text.words import normalise

PERMUTATIONS: Final = 64
# Of four permutations each: texts of similarity 0.8 share one with a chance of 99.98 %, of 0.5 with 64 %, of 0.2 with 3 %.
BANDS: Final = 16
# Shingles: two characters where a character is a word or a syllable (Han, kana, Hangul), else four.
_DENSE: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_GAPS: Final = re.compile(r"[\W_]+")
_HALF: Final = np.uint64(32)


def text_digest(text: str) -> str:
    """SHA-256 (hex) of the text after NFKC, case folding and blanks made single: equal for texts that read the same."""
    return hashlib.sha256(" ".join(normalise(text).split()).encode("utf-8", "surrogatepass")).hexdigest()


def fingerprint(text: str) -> tuple[int, ...]:
    """MinHash of the text's shingles: 64 integers in [0, 2**32), or () for a text without any visible character.

    Punctuation and blanks do not count unless there is nothing else. Sources: Broder 1997;
    hash family of Dietzfelbinger 1997: high half of factor * x + shift modulo 2**64.
    """
    shingles = _shingles(text)
    if not shingles:
        return ()
    hashes = np.fromiter(
        (zlib.crc32(shingle.encode("utf-8", "surrogatepass")) for shingle in shingles), dtype=np.uint64, count=len(shingles)
    )
    factors, shifts = _permutations()
    lowest = np.full(PERMUTATIONS, (1 << 32) - 1, dtype=np.uint64)
    for block in np.array_split(hashes, 1 + len(hashes) // 2048):  # bounds the scratch memory of a long text
        lowest = np.minimum(lowest, ((block[:, None] * factors + shifts) >> _HALF).min(axis=0))
    return tuple(int(value) for value in lowest)


def bands(print_: tuple[int, ...]) -> tuple[str, ...]:
    """16 tokens of a fingerprint: near-duplicates share at least one, so that they can be looked up; none for no fingerprint.

    Source: locality-sensitive hashing by bands of rows, Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, 3.4.
    """
    width = PERMUTATIONS // BANDS
    parts = (print_[at : at + width] for at in range(0, len(print_), width))
    return tuple(f"{number:x}{zlib.crc32(repr(part).encode()):08x}" for number, part in enumerate(parts))


def similarity(a: tuple[int, ...], b: tuple[int, ...]) -> float:
    """Estimated Jaccard similarity of two texts' shingles, 0..1 (standard error about 0.06); 0 if either has none."""
    if not a or not b:
        return 0.0
    return sum(x == y for x, y in zip(a, b, strict=True)) / len(a)


def _shingles(text: str) -> set[str]:
    folded = normalise(text)
    letters = _GAPS.sub("", folded) or "".join(folded.split())
    if not letters:
        return set()
    whole = {letters[at : at + (2 if _DENSE.match(letters[at]) else 4)] for at in range(max(1, len(letters) - 3))}
    return whole | {letters[-2:]} if _DENSE.match(letters[-1]) else whole


@cache
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Odd factors and shifts of 64 bits from a fixed stream: fingerprints are stored, so they may never change."""
    stream = hashlib.shake_256(b"consilience fingerprint 1").digest(PERMUTATIONS * 16)
    numbers = np.frombuffer(stream, dtype="<u8").astype(np.uint64)
    return numbers[:PERMUTATIONS] | np.uint64(1), numbers[PERMUTATIONS:]
