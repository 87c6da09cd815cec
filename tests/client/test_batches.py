from hypothesis import given
from hypothesis import strategies as st

from consilience.client import in_batches
from consilience.schema.domain import NewEpisode

TEXTS = st.lists(st.text(min_size=1, max_size=40), max_size=60)


@given(texts=TEXTS, size=st.integers(1, 7), most_bytes=st.integers(1, 200))
def test_batches_keep_every_episode_in_order_within_the_limits(texts: list[str], size: int, most_bytes: int) -> None:
    episodes = [NewEpisode(text=text, contributor="ana") for text in texts]
    batches = list(in_batches(episodes, size=size, most_bytes=most_bytes))
    assert [episode for batch in batches for episode in batch] == episodes
    for batch in batches:
        assert 1 <= len(batch) <= size
        assert len(batch) == 1 or sum(len(episode.text.encode()) for episode in batch) <= most_bytes
