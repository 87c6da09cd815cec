"""The sample conversation keeps its promises."""

from consilience.cli.demo import SAMPLE, load_conversation, load_questions
from consilience.cli.formats import Form, parse


def test_the_sample_is_sixty_to_eighty_whole_episodes_by_five_people_in_two_languages() -> None:
    parsed = parse(SAMPLE.joinpath("team.jsonl").read_bytes(), form=Form.JSONL)
    said = [line.episode for line in parsed.good]
    assert parsed.bad == ()
    assert 60 <= len(said) <= 80
    assert len({episode.contributor for episode in said}) == 5
    assert len({episode.session for episode in said}) >= 10
    chinese = [episode for episode in said if any("\u4e00" <= character <= "\u9fff" for character in episode.text)]
    assert 15 <= len(chinese) <= len(said) - 30
    assert {episode.source for episode in said} == {"conversation", "internal_tool", "web"}


def test_the_sample_is_in_order_of_time_with_ids_of_its_own() -> None:
    said = load_conversation()
    times = [episode.occurred_at for episode in said if episode.occurred_at is not None]
    assert len(times) == len(said)
    assert times == sorted(times)
    assert {times[0].year, times[-1].year} == {2026}
    assert all((episode.external_id or "").startswith("sample-") for episode in said)


def test_friday_evenings_went_wrong_for_at_least_three_people_on_as_many_days() -> None:
    fridays = [
        episode
        for episode in load_conversation()
        if episode.occurred_at and episode.occurred_at.weekday() == 4 and (episode.session or "").endswith("release")
    ]
    assert len({episode.contributor for episode in fridays}) >= 3
    assert len({episode.session for episode in fridays}) >= 3


def test_every_question_has_its_answer_in_the_sample() -> None:
    said = {episode.external_id: episode for episode in load_conversation()}
    asked = load_questions()
    assert asked.space == "sample"
    assert 6 <= len(asked.questions) <= 8
    for question in asked.questions:
        assert question.first in said
        assert question.asker in {episode.contributor for episode in said.values()}
    assert any("\u4e00" <= character <= "\u9fff" for question in asked.questions for character in question.query)
