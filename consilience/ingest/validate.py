"""What may be remembered: sizes, characters, times. Pure; each refusal names the field and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consilience.errors import InvalidInput, TooLarge
from consilience.schema.checks import check_key, check_text, check_time
from consilience.schema.domain import NewEpisode

METADATA_KEY_CHARS: Final = 64
METADATA_VALUE_CHARS: Final = 2048


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes of UTF-8 a text may have, episodes a call, metadata entries an episode."""

    max_text_bytes: int
    max_batch: int
    max_metadata: int


def check_episodes(episodes: Sequence[NewEpisode], *, limits: Limits) -> None:
    """Raises the first InvalidInput or TooLarge of a call, with the place: nothing of the call is stored then."""
    if not episodes:
        raise InvalidInput("there is no episode to remember", field="episodes")
    if len(episodes) > limits.max_batch:
        raise TooLarge(
            f"{len(episodes)} episodes are over the limit of {limits.max_batch} a call", hint="send them in several calls", field="episodes"
        )
    for index, episode in enumerate(episodes):
        _check_episode(episode, at=f"episodes[{index}]", limits=limits)


def _check_episode(episode: NewEpisode, *, at: str, limits: Limits) -> None:
    if not episode.text.strip():
        raise InvalidInput(f"{at}.text is empty", field=f"{at}.text")
    check_text(episode.text, field=f"{at}.text")
    size = len(episode.text.encode())
    if size > limits.max_text_bytes:
        raise TooLarge(
            f"{at}.text has {size} bytes, over the limit of {limits.max_text_bytes}",
            hint="split it into several episodes",
            field=f"{at}.text",
        )
    check_key(episode.contributor, field=f"{at}.contributor.externalId")
    check_key(episode.source, field=f"{at}.source")
    for name, value in (("contributor.name", episode.contributor_name), ("session", episode.session), ("externalId", episode.external_id)):
        if value is not None:
            check_key(value, field=f"{at}.{name}")
    check_time(episode.occurred_at, field=f"{at}.occurredAt")
    if len(episode.metadata) > limits.max_metadata:
        raise TooLarge(
            f"{at}.metadata has {len(episode.metadata)} entries, over the limit of {limits.max_metadata}", field=f"{at}.metadata"
        )
    for number, (key, value) in enumerate(episode.metadata):
        check_key(key, field=f"{at}.metadata[{number}].key")
        check_text(value, field=f"{at}.metadata[{number}].value")
        if len(key) > METADATA_KEY_CHARS or len(value) > METADATA_VALUE_CHARS:
            raise TooLarge(
                f"{at}.metadata[{number}] is over {METADATA_KEY_CHARS} characters of key or {METADATA_VALUE_CHARS} of value",
                field=f"{at}.metadata[{number}]",
            )
