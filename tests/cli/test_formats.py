"""Both formats: nothing is lost, nothing crashes, bad lines are told by number, ids are the same every time."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consilience.cli.formats import Defaults, Form, detect, parse
from consilience.errors import InvalidInput
from consilience.schema.domain import Role

NAMES = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], blacklist_characters=":："), min_size=1, max_size=12)
# A message as people type it: any characters, several lines; NUL and half surrogates are refused and have tests of their own.
TEXTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00\r"), max_size=80)
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3))])
TIMES = st.builds(datetime.fromtimestamp, st.integers(631_152_000, 4_102_444_800), tz=ZONES)


def jsonl(*rows: object) -> bytes:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


def chat(*messages: tuple[datetime, str, str]) -> bytes:
    """An export as the guide describes it, continuation lines indented."""
    lines = [f"[{at:%Y-%m-%d %H:%M:%S} {at:%z}] {name}: " + text.replace("\n", "\n    ") for at, name, text in messages]
    return "\n".join(lines).encode()


@given(
    content=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))),
    form=st.sampled_from(Form),
)
def test_no_content_makes_a_parser_crash(content: bytes, form: Form) -> None:
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        with pytest.raises(InvalidInput, match="UTF-16"):
            parse(content, form=form)
        return
    parsed = parse(content, form=form)
    assert all(number >= 1 for number in [*(line.number for line in parsed.good), *(line.number for line in parsed.bad)])


@given(messages=st.lists(st.tuples(TIMES, NAMES, TEXTS), max_size=12))
def test_every_message_of_a_chat_that_is_not_empty_is_kept(messages: list[tuple[datetime, str, str]]) -> None:
    parsed = parse(chat(*messages), form=Form.CHAT)
    said = [(at, text.strip()) for at, _, text in messages if text.strip()]
    assert [(line.episode.occurred_at, line.episode.text) for line in parsed.good] == said
    assert (parsed.bad, parsed.empty) == ((), len(messages) - len(said))


@given(rows=st.lists(st.fixed_dictionaries({"text": TEXTS, "contributor": NAMES}), max_size=12))
def test_every_json_line_is_kept_or_reported(rows: list[dict[str, str]]) -> None:
    parsed = parse(jsonl(*rows), form=Form.JSONL)
    assert [line.episode.text for line in parsed.good] == [row["text"] for row in rows if row["text"].strip()]
    assert {line.reason for line in parsed.bad} <= {"text: empty"}
    assert len(parsed.good) + len(parsed.bad) == len(rows)


@given(rows=st.lists(st.fixed_dictionaries({"text": st.sampled_from("ab"), "contributor": st.sampled_from("xy")}), max_size=12))
def test_ids_are_unique_and_the_same_every_time(rows: list[dict[str, str]]) -> None:
    ids = [line.episode.external_id for line in parse(jsonl(*rows), form=Form.JSONL).good]
    assert len(set(ids)) == len(rows)
    assert ids == [line.episode.external_id for line in parse(jsonl(*rows), form=Form.JSONL).good]


def test_a_file_that_has_grown_keeps_the_ids_of_its_old_lines() -> None:
    old = [{"text": "one", "contributor": "ana"}, {"text": "two", "contributor": "ana"}]
    grown = [{"text": "zero", "contributor": "ben"}, *old, {"text": "two", "contributor": "ana"}]
    before = {line.episode.text: line.episode.external_id for line in parse(jsonl(*old), form=Form.JSONL).good}
    after = [line.episode.external_id for line in parse(jsonl(*grown), form=Form.JSONL).good]
    assert after[1:3] == [before["one"], before["two"]]
    assert len(set(after)) == 4


def test_a_json_line_can_say_everything_an_episode_has() -> None:
    row = {
        "text": "第一", "contributor": {"externalId": "li", "name": "李明"}, "source": "wiki", "role": "tool", "session": "s",
        "occurredAt": "2026-03-01T09:12:00+01:00", "externalId": "m-1", "metadata": {"page": "7"},
    }  # fmt: skip
    [line] = parse(jsonl(row), form=Form.JSONL).good
    said = line.episode
    assert (said.text, said.contributor, said.contributor_name, said.source, said.role) == ("第一", "li", "李明", "wiki", Role.TOOL)
    assert (said.session, said.external_id, said.metadata) == ("s", "m-1", (("page", "7"),))
    assert said.occurred_at == datetime(2026, 3, 1, 8, 12, tzinfo=UTC)


def test_what_a_line_does_not_say_comes_from_the_command() -> None:
    [line] = parse(jsonl({"text": "x"}), form=Form.JSONL, defaults=Defaults(source="wiki", contributor="ana", session="s")).good
    assert (line.episode.source, line.episode.contributor, line.episode.session) == ("wiki", "ana", "s")


GOOD: dict[str, Any] = {"text": "x", "contributor": "ana"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON (column 2"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"\xff", "not UTF-8"),
        (jsonl({"contributor": "ana"}), "text: missing"),
        (jsonl(GOOD | {"text": 3}), "text: must be a string"),
        (jsonl(GOOD | {"text": "  "}), "text: empty"),
        (jsonl(GOOD | {"text": "a" * 32_769}), "text: 32769 bytes, at most 32768"),
        (b'{"text": "a\\u0000b", "contributor": "ana"}', "text: has a NUL character"),
        (b'{"text": "\\ud83d", "contributor": "ana"}', "text: has half of a surrogate pair"),
        (jsonl({"text": "x"}), "contributor: missing"),
        (jsonl(GOOD | {"contributor": ""}), "contributor: empty"),
        (jsonl(GOOD | {"contributor": {"externalId": "a", "nam": "b"}}), "unknown key contributor.nam"),
        (jsonl(GOOD | {"contributor": "a\nb"}), "contributor: has a control character"),
        (jsonl(GOOD | {"session": "s" * 257}), "session: 257 characters, at most 256"),
        (jsonl(GOOD | {"role": "narrator"}), "role: must be one of USER"),
        (jsonl(GOOD | {"occurredAt": "2026-03-01T09:12:00"}), "occurredAt: a time without an offset"),
        (jsonl(GOOD | {"occurredAt": "yesterday"}), "occurredAt: not a time"),
        (jsonl(GOOD | {"occurredAt": "0001-01-01T00:00:00+10:00"}), "occurredAt: not a time"),
        (jsonl(GOOD | {"metadata": {"k": 1}}), "metadata.k: must be a string"),
        (jsonl(GOOD | {"metadata": {str(n): "" for n in range(33)}}), "metadata: 33 entries, at most 32"),
        (jsonl(GOOD | {"speaker": "ana"}), "unknown key speaker"),
    ],
)
def test_a_bad_json_line_is_told_by_its_number_and_what_is_wrong(line: bytes, reason: str) -> None:
    parsed = parse(jsonl(GOOD) + b"\n\n" + line, form=Form.JSONL)
    assert [(bad.number, bad.reason[: len(reason)]) for bad in parsed.bad] == [(3, reason)]
    assert [line.number for line in parsed.good] == [1]


def test_no_reason_quotes_what_was_said() -> None:
    secret = "CANARY-7"
    rows = [
        {"text": secret},
        {"text": secret, "contributor": "a", "role": secret},
        {"text": secret, "contributor": "a", "occurredAt": secret},
    ]
    bad = parse(jsonl(*rows) + f'\n{{"text": "{secret}'.encode(), form=Form.JSONL).bad
    bad += parse(f"[2026-03-01 09:12] Ana: {secret}\n".encode(), form=Form.CHAT).bad
    assert len(bad) == 5
    assert not any(secret in line.reason for line in bad)


def test_one_external_id_with_two_contents_is_bad_and_with_one_is_a_duplicate() -> None:
    row = GOOD | {"externalId": "m-1"}
    parsed = parse(jsonl(row, row, row | {"text": "y"}), form=Form.JSONL)
    assert [line.number for line in parsed.good] == [1, 2]
    assert [(line.number, line.reason) for line in parsed.bad] == [(3, "externalId: line 1 has the same one with other contents")]


CHAT = """\
[2026-03-01 09:12 +01:00] Ana Duarte: The shelf in bay 4 holds 120 kg.
It was 80 kg before: the new beam helps.

    [2026-02-01 10:00 +01:00] not a header, because it is indented
[2026-03-01 09:13 +01:00] 陈薇：收到。
[2026-03-01 15:13:30 +0100] Ben:
[2026-03-01 15:14 Z] Ben: later
"""


def test_a_chat_is_read_as_the_guide_says() -> None:
    parsed = parse(CHAT.replace("\n", "\r\n").encode("utf-8-sig"), form=Form.CHAT)
    assert [(line.number, line.episode.contributor, line.episode.text) for line in parsed.good] == [
        (1, "Ana Duarte", "The shelf in bay 4 holds 120 kg.\nIt was 80 kg before: the new beam helps.\n\n"
                          "[2026-02-01 10:00 +01:00] not a header, because it is indented"),
        (5, "陈薇", "收到。"),
        (7, "Ben", "later"),
    ]  # fmt: skip
    assert (parsed.empty, parsed.bad) == (1, ())


def test_a_silence_of_more_than_six_hours_begins_a_session() -> None:
    start = datetime(2026, 3, 1, 8, tzinfo=UTC)
    content = chat(*((start + timedelta(hours=hours), "ana", "x") for hours in (0, 6, 12, 18.01)))
    sessions = [line.episode.session for line in parse(content, form=Form.CHAT).good]
    assert sessions[0] == sessions[1] == sessions[2] != sessions[3]
    assert {line.episode.session for line in parse(content, form=Form.CHAT, defaults=Defaults(session="s")).good} == {"s"}


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("[2026-03-01 09:12] Ana: x", "time: a time without an offset"),
        ("[2026-13-01 09:12 Z] Ana: x", "time: not a time"),
        ("[2026-03-01 09:12 Z] no name here", "no `Name:`"),
        ("[2026-03-01 09:12 Z] : x", "name: empty"),
        ("[2026-03-01] Ana: x", "a header that cannot be read"),
    ],
)
def test_a_header_with_a_slip_is_reported_with_its_lines_left_out(header: str, reason: str) -> None:
    parsed = parse(f"[2026-03-01 09:00 Z] Ana: first\n{header}\nmore\n[2026-03-01 09:14 Z] Ana: last\n".encode(), form=Form.CHAT)
    assert [line.episode.text for line in parsed.good] == ["first", "last"]
    assert [(bad.number, bad.reason[: len(reason)]) for bad in parsed.bad] == [(2, reason)]


def test_lines_before_the_first_header_are_reported_once() -> None:
    parsed = parse(b"Chat with Ana\nexported today\n\n[2026-03-01 09:14 Z] Ana: x\n", form=Form.CHAT)
    assert [bad.number for bad in parsed.bad] == [1]
    assert len(parsed.good) == 1


@pytest.mark.parametrize(
    ("content", "name", "form"),
    [
        (b'\n {"text": "x"}', "", Form.JSONL),
        (CHAT.encode(), "chat.txt", Form.CHAT),
        (CHAT.encode("utf-8-sig"), "", Form.CHAT),
        (b"anything", "a.JSONL", Form.JSONL),
        (b"", "", Form.JSONL),
    ],
)
def test_the_format_is_found_out(content: bytes, name: str, form: Form) -> None:
    assert detect(content, name=name) is form


@pytest.mark.parametrize(
    ("content", "words"), [(b'[{"text": "x"}]', "JSON array"), (b"Dear diary", "neither"), ("x".encode("utf-16"), "UTF-16")]
)
def test_another_format_is_refused_with_advice(content: bytes, words: str) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        detect(content)
    assert caught.value.hint
