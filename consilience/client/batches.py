"""Cutting what is to be remembered into requests the service accepts. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from consilience.schema.domain import NewEpisode

MOST_EPISODES: Final = 500
# Well under the service's default body limit of 32 MiB, escapes and the other fields included.
MOST_TEXT_BYTES: Final = 8 * 1024 * 1024


def in_batches(
    episodes: Sequence[NewEpisode], *, size: int = MOST_EPISODES, most_bytes: int = MOST_TEXT_BYTES
) -> Iterator[Sequence[NewEpisode]]:
    """The episodes in order, in runs of 1..size whose texts together stay within `most_bytes` (a single longer one goes alone)."""
    start, held = 0, 0
    for position, episode in enumerate(episodes):
        # Three bytes a character at most in UTF-8 outside the astral planes: an upper bound is enough here.
        weight = len(episode.text) * 4 if not episode.text.isascii() else len(episode.text)
        if position > start and (position - start >= size or held + weight > most_bytes):
            yield episodes[start:position]
            start, held = position, 0
        held += weight
    if start < len(episodes):
        yield episodes[start:]
