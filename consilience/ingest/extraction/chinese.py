"""Chinese clauses read as statements: patterns of chinese.toml, an open reading from rjieba's word classes where none fits."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, cast

import rjieba

from consilience.ingest.extraction.names import mention, name_kind
from consilience.ingest.extraction.predicates import predicate_info
from consilience.ingest.extraction.readings import FROM_TABLE, OPEN_NOUN, OPEN_VERB, Reading, Scene
from consilience.ingest.extraction.subjects import is_relation
from consilience.ingest.extraction.tables import read_table
from consilience.schema.statements import Change, EntityKind, SubjectKind, SubjectRef
from consilience.text.chinese import simplified
from consilience.text.dates import TimeMention, times

_CLAUSE: Final = re.compile(r"[，,；;。！!？?：:\n]+")
_TAIL: Final = re.compile(r"(?:了|的|吧|啊|呀|呢|啦|嘛|哦|哈|而已|之类的?|什么的)+$")
_QUOTES: Final = "“”\"'‘’「」『』（）() 　"
_FIRST: Final = frozenset({"我", "我们", "咱", "咱们", "本人", "俺"})
_SECOND: Final = frozenset({"你", "您", "你们"})
_THIRD: Final = {"她": "she", "他": "he", "它": "it", "他们": "they", "她们": "they", "对方": "they"}
_EMPTY: Final = frozenset(
    {"这", "那", "这个", "那个", "这里", "那里", "大家", "有人", "什么", "谁", "这是", "今天", "明天", "昨天", "人", "这样", "那样", "其中"}
)
_MARITAL: Final = {
    "已婚": ("married", False),
    "结婚": ("married", False),
    "未婚": ("married", True),
    "单身": ("single", False),
    "离婚": ("divorced", False),
    "离异": ("divorced", False),
    "丧偶": ("widowed", False),
}
_UNMARRIED: Final = re.compile("没.{0,2}结婚")
_LONGEST_NAME: Final = 24
_MARK: Final = "@"  # stands for a named time in a pattern


@dataclass(frozen=True, slots=True)
class _Pattern:
    form: re.Pattern[str]
    say: str
    also: str | None
    change: Change | None
    negated: bool
    flipped: bool
    dated: bool
    place: bool


@cache
def _noun_predicates() -> dict[str, str]:
    rows = cast("dict[str, str]", read_table("chinese.toml")["nouns"])
    return {noun: predicate for predicate, nouns in rows.items() for noun in nouns.split("|")}


@cache
def _patterns() -> tuple[_Pattern, ...]:
    table = read_table("chinese.toml")
    adverbs = f"{table['adverbs']}*"
    nouns = "|".join(sorted(_noun_predicates(), key=len, reverse=True))
    macros = {
        "{S}": "(?P<s>[^@]{0,24}?)",
        "{A}": adverbs,
        "{N2}": f"(?P<n>{table['negation']})?",
        "{N}": f"(?P<n>{table['negation']})?",
        "{V}": "(?P<v>.+)",
        "{v}": "(?P<v>.+?)",
        "{T}": "(?:了|过|着)?",
        "{M}": str(table["measure"]),
        "{NOUN}": f"(?:{nouns})",
    }
    found: list[_Pattern] = []
    for row in cast("list[dict[str, object]]", table["pattern"]):
        form = str(row["p"])
        for macro, meaning in macros.items():
            form = form.replace(macro, meaning)
        change = Change(str(row["change"])) if "change" in row else None
        flags = {key: bool(row.get(key)) for key in ("negated", "flipped", "dated", "place")}
        found.append(_Pattern(re.compile(form), str(row["say"]), cast("str | None", row.get("also")), change, **flags))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str  # simplified, each named time as @
    times: tuple[TimeMention, ...]
    hedged: bool = False
    reporter: SubjectRef | None = None


def read_chinese(text: str, *, scene: Scene) -> list[Reading]:
    """The statements of one Chinese sentence; a clause without a subject is about that of the clause before it."""
    found: list[Reading] = []
    subject: SubjectRef | None = None
    reporter: SubjectRef | None = None
    for piece in _CLAUSE.split(text):
        clause = _clause(piece.strip(_QUOTES), scene=scene, reporter=reporter)
        if len(clause.text) < 2 or _asks(clause.text):
            continue
        reporter = clause.reporter
        here = scene.seeing([mention(reporter.name)]) if reporter is not None and reporter.name else scene
        for reading in _read(clause, subject=subject, scene=here):
            value = _as_written(reading.value, text)
            found.append(replace(reading, value=value, hedged=reading.hedged or clause.hedged, reported=reporter is not None))
            subject = reading.subject
    return found


def _as_written(value: str, text: str) -> str:
    """The value in the characters it was written in: matching is done in simplified ones."""
    at = simplified(text).find(value)
    return text[at : at + len(value)] if at >= 0 and value else value


def _asks(text: str) -> bool:
    return bool(re.search("(?:吗|什么|怎么|为什么|哪里|哪儿|谁|几点|多少|是不是|能不能|有没有|可不可以|要不要)", text))


def _clause(piece: str, *, scene: Scene, reporter: SubjectRef | None) -> _Clause:
    table = read_table("chinese.toml")
    simple = simplified(piece)
    named = times(simple, reference=scene.occurred_at)
    for time in reversed(named):
        simple = simple[: time.span[0]] + _MARK + simple[time.span[1] :]
    simple = re.sub(r"@(?:的时候|时|间|里)?", _MARK, simple)
    simple = re.sub(rf"^{table['connectors']}+", "", simple).strip(_QUOTES)
    reported = re.match(str(table["reported"]), simple)
    if reported and reported["who"] not in _FIRST and not re.search("会|能|不|没|在|是", reported["who"]):
        who = _ref(reported["who"], scene)
        if who is not None:
            simple, reporter = reported["rest"].strip(_QUOTES), who
    hedged = re.match(rf"^{table['opinions']}[，,]?", simple)
    if hedged:
        simple = simple[hedged.end() :]
    # A time before the verb is an adverbial: out of the way unless the pattern asks for it.
    return _Clause(simple, named, hedged=hedged is not None, reporter=reporter)


def _read(clause: _Clause, *, subject: SubjectRef | None, scene: Scene) -> Iterator[Reading]:
    bare = clause.text.replace(_MARK, "")
    for pattern in _patterns():
        match = pattern.form.search(clause.text if pattern.dated or "@" in pattern.form.pattern.replace("[^@]", "") else bare)
        if match is None:
            continue
        readings = list(_matched(pattern, match, clause, subject=subject, scene=scene))
        if readings:
            yield from readings
            return
    yield from _open(bare, clause, subject=subject, scene=scene)


def _matched(pattern: _Pattern, match: re.Match[str], clause: _Clause, *, subject: SubjectRef | None, scene: Scene) -> Iterator[Reading]:
    part = match.groupdict()
    owner_text = part.get("o")
    about = _ref(owner_text, scene) if owner_text else (_ref(part["s"], scene) if part.get("s") else subject or scene.first)
    if about is None:
        return
    value = _value(part.get("v") or part.get("v2") or "")
    negated = pattern.negated != bool(part.get("n"))
    time = next((t for t in clause.times if not t.duration), None)
    predicate = _predicate(pattern, part)
    info = predicate_info(predicate)
    reading = Reading(about, predicate, value, FROM_TABLE, negated=negated, change=pattern.change, time=time)
    reading = replace(reading, change=_changed(reading, match.group(), part.get("n")), entity=info.value == "entity")
    if pattern.say == "marital_status":
        yield _marital(reading, part["m"] or "")
    elif pattern.dated or (info.value == "date" and time is not None):
        if time is not None:
            yield replace(reading, value=time.iso, time=None)
    elif pattern.say == "@role":
        holder = _ref(part.get("s") or "", scene) or subject
        if holder is not None:
            yield replace(reading, value=holder.name or "", value_ref=None if holder.name else holder, entity=True)
    elif pattern.say == "@noun" and is_relation(predicate) and "是" in match.group() and name_kind(value) is not EntityKind.PERSON:
        # "my brother is a lawyer" tells of him, "my brother is Zhang San" who he is
        yield replace(reading, subject=SubjectRef(about.kind, about.name, via=predicate), predicate="is_a", entity=False)
    elif pattern.flipped:
        yield replace(
            reading,
            subject=SubjectRef(SubjectKind.NAMED, value.strip("《》")),
            value=about.name or "",
            value_ref=None if about.name else about,
            entity=True,
        )
    elif value and not (pattern.place and name_kind(value) is not EntityKind.PLACE):
        single = True if pattern.say == "@open" else None
        yield from _further(replace(reading, single=single, confidence=OPEN_NOUN if single else FROM_TABLE), pattern, part)


def _further(reading: Reading, pattern: _Pattern, part: dict[str, str | None]) -> Iterator[Reading]:
    yield reading
    if pattern.also and part.get("w"):
        yield replace(reading, predicate=pattern.also, value=_value(part["w"] or ""), entity=False)
    if pattern.say == "spouse":
        yield replace(reading, predicate="marital_status", value="married", entity=False)
    if pattern.say == "has_pet" and part.get("k"):
        yield Reading(SubjectRef(SubjectKind.NAMED, reading.value), "is_a", part["k"] or "", FROM_TABLE)


def _predicate(pattern: _Pattern, part: dict[str, str | None]) -> str:
    if pattern.say in {"@noun", "@role"}:
        return _noun_predicates()[part["k"] or ""]
    return _value(part["open"] or "") if pattern.say == "@open" else pattern.say


def _changed(reading: Reading, text: str, negation: str | None) -> Change | None:
    if reading.change is not None:
        return reading.change
    if negation in {"不再", "再也不"} or (negation and text.endswith("了")):
        return Change.NO_LONGER
    if re.search("改成|改为|变成|变为|更新为|涨到|降到|增加到|改到", text):
        return Change.MOVED
    if re.search("以前|曾经?|过去|原来", text) and not re.search("现在|目前", text):
        return Change.USED_TO
    return None


def _marital(reading: Reading, word: str) -> Reading:
    value, single = ("married", True) if _UNMARRIED.search(word) else _MARITAL.get(word, ("married", False))
    return replace(reading, value=value, negated=reading.negated != single, entity=False)


def _value(text: str) -> str:
    return _TAIL.sub("", text.strip(_QUOTES).replace(_MARK, "")).strip(_QUOTES)


def _ref(text: str, scene: Scene) -> SubjectRef | None:
    """Whom a Chinese subject means; None if it names nobody."""
    name = re.sub(rf"{read_table('chinese.toml')['adverbs']}+$", "", text.replace(_MARK, "").strip(_QUOTES)).strip(_QUOTES)
    if name in _FIRST:
        return scene.first
    if name in _SECOND:
        return scene.second
    if name in _THIRD:
        return scene.third(_THIRD[name])
    if not name or name in _EMPTY or len(name) > _LONGEST_NAME:
        return None
    owned = re.match(r"^(?P<o>我们?|咱们?|你|您|他|她|.{1,12}的)(?:的|家)?(?P<k>.{1,8})$", name)
    if owned and owned["k"] in _noun_predicates():
        owner = _ref(owned["o"].removesuffix("的"), scene)
        return SubjectRef(owner.kind, owner.name, via=_noun_predicates()[owned["k"]]) if owner is not None else None
    bare = re.sub("^(?:这|那)(?:个|些|位|只|家)?(?=..)", "", name).removesuffix("的")
    return SubjectRef(SubjectKind.NAMED, bare) if bare else None


def _open(text: str, clause: _Clause, *, subject: SubjectRef | None, scene: Scene) -> Iterator[Reading]:
    """Subject, verb, object by word class: the verb is the predicate."""
    words = [(word, tag) for word, tag in rjieba.tag(text) if word.strip()]
    at = next((i for i, (word, tag) in enumerate(words) if tag.startswith("v") and word not in {"是", "有", "会", "能", "想", "要"}), None)
    if at is None or at + 1 >= len(words) or at > 5:
        return
    before = [word for word, tag in words[:at] if tag not in {"d", "c", "ad"}]
    negated = any(word in {"不", "没", "没有", "从不", "不再"} for word, _ in words[:at])
    about = _ref("".join(before), scene) if before else subject or scene.first
    value = _value(re.sub("^(?:了|过|着)", "", "".join(word for word, _ in words[at + 1 :])))
    if about is None or not value:
        return
    time = next((t for t in clause.times if not t.duration), None)
    done = words[at + 1][0] in {"了", "过"}
    yield Reading(about, words[at][0], value, OPEN_VERB, negated=negated, time=time, event=done)
