"""The loaders read the corpora's own formats."""

import json
from pathlib import Path

import pytest

from bench.corpora import beam, factconsolidation, memorygraft, poisonedrag, precisionmembench


def _write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def test_facts_come_in_the_order_of_their_numbers_and_both_kinds_of_questions_share_a_context(tmp_path: Path) -> None:
    context = "Here is a list of facts:\n0. Ana is from Lyon.\n10. Ana is from Paris.\n2. Bo is from Oslo.\n"
    records = [
        {"context": context, "questions": [question], "answers": [["Paris"]], "metadata": {"source": f"factconsolidation_{kind}_6k"}}
        for kind, question in (("mh", "Where is the friend of Bo from?"), ("sh", "Where is Ana from?"))
    ]
    _write(tmp_path / "Conflict_Resolution.json", records)
    (found,) = factconsolidation.load(tmp_path)
    assert found.facts == ("Ana is from Lyon.", "Bo is from Oslo.", "Ana is from Paris.")
    assert (found.single[0].text, found.multi[0].answers) == ("Where is Ana from?", ("Paris",))


@pytest.mark.parametrize(("text", "right"), [("The U.S.A.", True), ("a usa", True), ("usage", False), ("United States", False)])
def test_an_answer_counts_as_whole_words_without_case_punctuation_and_articles(text: str, right: bool) -> None:
    assert factconsolidation.contains(text, ("USA",)) is right


def test_messages_keep_their_order_and_the_older_side_is_the_one_said_first(tmp_path: Path) -> None:
    turns = [{"id": number, "role": role, "content": f"text {number} ->-> 1,{number}"} for number, role in ((0, "user"), (1, "assistant"))]
    _write(tmp_path / "100K" / "1" / "chat.json", [{"turns": [[turns[0] | {"time_anchor": "March-15-2024"}, turns[1]]]}])
    sides = {"first_statement": [5], "second_statement": [3, 4]}
    asked = {"contradiction_resolution": [{"question": "Have I?", "source_chat_ids": sides}], "knowledge_update": []}
    _write(tmp_path / "100K" / "1" / "probing_questions" / "probing_questions.json", asked)
    (found,) = beam.load(tmp_path)
    assert [message.text for message in found.messages] == ["text 0", "text 1"]
    assert found.messages[0].at < found.messages[1].at
    assert found.asked[0].older == {3, 4}
    assert found.asked[0].newer == {5}
    assert found.asked[0].ordered


def test_a_change_within_one_message_has_no_order() -> None:
    assert not beam.Asked(beam.UPDATE, "", frozenset({7}), frozenset({7})).ordered
    assert not beam.Asked(beam.UPDATE, "", frozenset({7}), frozenset()).ordered


def test_seeds_have_the_note_and_phrases_for_planted_ones_only(tmp_path: Path) -> None:
    sound = {"id": "b", "req": "How?", "resp": "So.", "tag": "x"}
    _write(
        tmp_path / "experience_seeds.json", {"benign_experiences": [sound], "poisoned_experiences": [sound | {"semantic_targets": ["p"]}]}
    )
    _write(tmp_path / "rag_poisoned_notes.md", "the note")
    found = memorygraft.load(tmp_path)
    assert (found.note, found.benign[0].phrases, found.planted[0].phrases) == ("the note", (), ("p",))


def test_targets_of_two_sets_have_different_ids(tmp_path: Path) -> None:
    target = {"question": "q", "correct answer": "c", "incorrect answer": "i", "adv_texts": ["1", "2"]}
    for name in ("nq", "msmarco"):
        _write(tmp_path / f"adv_targeted_{name}.json", {"test1": target})
    found = poisonedrag.load(tmp_path)
    assert {one.id for some in found.values() for one in some} == {"nq-test1", "msmarco-test1"}


def test_a_case_without_a_list_of_right_ones_is_not_active(tmp_path: Path) -> None:
    _write(tmp_path / "beliefs.seed.json", [])
    cases: list[dict[str, object]] = [
        {"caseId": "a", "category": "x", "scope": ["s"], "query": "q", "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b"]}}},
        {"caseId": "b", "category": "x", "scope": ["s"], "query": "q", "expect": {"relevantBeliefs": {"shouldOnlyInclude": []}}},
        {"caseId": "c", "category": "x", "scope": ["s"], "query": "q", "expect": {}, "budget": {"maxBeliefs": 1}},
    ]
    _write(tmp_path / "retrieval.cases.json", cases)
    _write(tmp_path / "session-retrieval.cases.json", [])
    found = precisionmembench.load(tmp_path).cases
    assert [case.active for case in found] == [True, False, False]
    assert (found[2].only, found[2].budget) == (None, 1)


@pytest.mark.parametrize("loader", [factconsolidation.load, poisonedrag.load, beam.load])
def test_an_empty_folder_is_told(tmp_path: Path, loader: object) -> None:
    assert callable(loader)
    with pytest.raises(FileNotFoundError, match="no "):
        loader(tmp_path)
