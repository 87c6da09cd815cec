"""Word statistics of one space and BM25 over them. The counts hold hashes, no words: nothing said can be read back from them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NoReturn

K1: Final = 0.9
B: Final = 0.4


class WordStats:
    """In how many texts each word of a space stands. In memory only; built from the stored `words` at start and after an erasure.

    Words are kept as Python's own string hash: 64 bits (two words of a million share one with a chance of 1 in 10**7),
    keyed anew in each process, so the table can neither be read nor be matched against a list of words.
    One writer at a time; readers need no lock.
    """

    __slots__ = ("_counts", "_texts", "_tokens")

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._texts = 0
        self._tokens = 0

    @property
    def texts(self) -> int:
        """How many texts were added and not removed."""
        return self._texts

    @property
    def mean_length(self) -> float:
        """Tokens in a text on average; 1 while there are none."""
        return self._tokens / self._texts if self._tokens > 0 and self._texts > 0 else 1.0

    def __reduce__(self) -> NoReturn:
        raise TypeError("word statistics hold only in the process that counted them: build them anew from the stored words")

    def add(self, words: str) -> None:
        """Count one more text, given as `text.words.words` made it."""
        found = words.split()
        self._texts += 1
        self._tokens += len(found)
        counts = self._counts
        for term in set(map(hash, found)):
            counts[term] = counts.get(term, 0) + 1

    def remove(self, words: str) -> None:
        """Take back one `add` of the same words."""
        found = words.split()
        self._texts = max(0, self._texts - 1)
        self._tokens = max(0, self._tokens - len(found))
        for term in set(map(hash, found)):
            left = self._counts.get(term, 0) - 1
            if left > 0:
                self._counts[term] = left
            else:
                self._counts.pop(term, None)

    def idf(self, token: str) -> float:
        """ln(1 + (N - n + 1/2) / (n + 1/2)), never negative; the highest for a word that stands nowhere."""
        n = min(self._counts.get(hash(token), 0), self._texts)
        return math.log(1.0 + (self._texts - n + 0.5) / (n + 0.5))


def bm25(question: Iterable[str], text: Sequence[str], stats: WordStats, *, k1: float = K1, b: float = B) -> float:
    """Okapi BM25 of a text (its tokens) for a question's distinct tokens: sum of idf * tf * (k1 + 1) / (tf + k1 * norm), >= 0.

    Source: Robertson & Zaragoza 2009; k1 and b as in Anserini's defaults for short passages.
    """
    weights = {token: stats.idf(token) for token in question}
    return sum(matches(weights, text, stats.mean_length, k1=k1, b=b).values())


def matches(weights: Mapping[str, float], text: Sequence[str], mean_length: float, *, k1: float = K1, b: float = B) -> dict[str, float]:
    """What each word of the question that stands in the text adds to BM25; `weights` holds the words' idf."""
    found = [token for token in text if token in weights]
    norm = k1 * (1.0 - b + b * len(text) / mean_length)
    counts = {token: found.count(token) for token in dict.fromkeys(found)}  # in the text's order: sums come out the same each time
    return {token: weights[token] * tf * (k1 + 1.0) / (tf + norm) for token, tf in counts.items()}
