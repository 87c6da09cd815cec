"""What a question asks: for whose words, when, where, about which date, and what of it is worth looking up. Pure; English and Chinese."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from consilience.retrieval.dates import DateMention, dates_in
from consilience.text.words import normalise, query_words

_WHEN: Final = re.compile(
    r"\b(?:when|since when|how long|how long ago|how recently)\b|\b(?:what|which) (?:date|day|month|year|week|weekend|time|season|period)\b"
    r"|什么时候|何时|哪[一]?[天年月周]|几[点月号日]|多久|啥时候|什么时间|哪个(?:月|星期|季)"
)
_WHERE: Final = re.compile(
    r"\bwhere\b|\b(?:what|which) (?:city|cities|town|country|countries|state|places?|area|region|location|venue|address|street)\b"
    r"|哪里|哪儿|在哪|什么地方|何地|哪个(?:城市|国家|地方|省|市)|哪座"
)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|had|used to|ago|then|previously|formerly|originally|earlier|before|at first|in the past|yesterday"
    r"|last (?:week|month|year|time|summer|winter|spring|fall|autumn)|first (?:said|told|mentioned))\b"
    r"|当时|那时|以前|之前|过去|曾经?|原来|原先|起初|最初|去年|前年|上次|上个月|上周|昨天|前天"
)
_FIRST: Final = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself)\b|[我俺](?!们)")
# Said in a question, never in its answer: left out of what is embedded (measured: R@10 31.9 -> 61.8 with names left out as well).
_ASKING: Final = re.compile(
    r"\b(?:what|which|who|whom|whose|when|where|why|how)(?:'s|'re|'d|'ll)?\b|\b(?:do|does|did|is|are|was|were|am|be|been|being|has|have|had|will|would|can|could|shall|should|may|might|must)(?:n't)?\b|[?？]"
    r"|什么时候|为什么|什么样|怎么样|什么|怎么|怎样|如何|哪里|哪儿|哪个|哪些|哪位|哪[一]?[天年月]|多少|多久|几[点月号个]|谁|何时|何地|请问|告诉我|是否|有没有|是不是|吗|呢",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r"(?=.*\d)(?=.*[a-z\-@.])(?!\d+(?:\.\d+)?$).+|.+@.+")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
# First names that are words as well.
_WORD_NAMES = (
    "will may mark rose grace hope faith joy art bill bob drew frank gene grant guy jack jay june april august dawn "
    "eve iris ivy lily max miles nick pat penny ray rich rob robin sandy sky stone summer sue ward wade chase chip "
    "dean earl autumn daisy ruby sage user assistant agent me you i "
)
_ORDINARY: Final = frozenset(_WORD_NAMES.split())


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody a question may name. `names`: name and external id, as given; the best known first."""

    id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart.

    `words`: distinct index tokens to look up and to weigh, names of known people left out (`name_words` holds theirs).
    `embed_text`: what to embed. `people`: ids of the known people it names. `speaker`: whose own words are meant, when that is clear
    (one person named, or nobody named and the asker speaks of himself). `identifiers`: those of `words` that are codes.
    """

    text: str
    words: tuple[str, ...]
    name_words: tuple[str, ...]
    embed_text: str
    people: tuple[str, ...]
    speaker: str | None
    first_person: bool
    asks_past: bool
    asks_when: bool
    asks_where: bool
    dates: tuple[DateMention, ...]
    identifiers: tuple[str, ...]

    @property
    def lookup(self) -> str:
        """The tokens for the full-text index, joined by blanks; the names where there is nothing else. May be ""."""
        return " ".join(self.words or self.name_words)


def analyse(query: str, *, people: Sequence[Person] = (), asker: str | None = None) -> Question:
    """Take a question apart. `people`: whoever might be named in it; `asker`: the id of who asks, if known."""
    plain = normalise(query)
    named = _named(query, people)
    spans = sorted(span for _, span in named)
    nameless = _without(query, spans)
    ids = tuple(dict.fromkeys(person for person, _ in named))
    asked = query_words(nameless).split() if spans else query_words(query).split()
    name_tokens = [token for start, end in spans for token in query_words(query[start:end]).split()]
    first = _FIRST.search(plain) is not None
    return Question(
        text=query,
        words=tuple(asked),
        name_words=tuple(dict.fromkeys(token for token in name_tokens if token not in asked)),
        embed_text=_embed_text(nameless, query),
        people=ids,
        speaker=ids[0] if len(ids) == 1 else asker if first and not ids else None,
        first_person=first,
        asks_past=_PAST.search(plain) is not None,
        asks_when=_WHEN.search(plain) is not None,
        asks_where=_WHERE.search(plain) is not None,
        dates=dates_in(plain),
        identifiers=tuple(token for token in asked if _CODE.fullmatch(token)),
    )


def _embed_text(nameless: str, query: str) -> str:
    bare = " ".join(_ASKING.sub(" ", nameless.replace("\u2019", "'")).split()).strip(" ,.;:!'")
    return bare if _WORD.search(bare) else query


def _without(query: str, spans: Sequence[tuple[int, int]]) -> str:
    kept: list[str] = []
    at = 0
    for start, end in spans:
        if start >= at:
            kept.append(query[at:start])
        at = max(at, end)
    return " ".join([*kept, query[at:]]) if spans else query


def _named(query: str, people: Sequence[Person]) -> list[tuple[str, tuple[int, int]]]:
    """Who is named where: full names first, then first names, then short forms, each only where it means one person."""
    found: list[tuple[str, tuple[int, int]]] = []
    taken: list[tuple[int, int]] = []
    for forms in _name_forms(query, people):
        for form, ids in forms.items():
            if len(ids) != 1:
                continue
            for match in _mentions(form, query):
                if not any(start < match[1] and match[0] < end for start, end in taken):
                    found.append((next(iter(ids)), match))
                    taken.append(match)
    return sorted(found, key=lambda item: item[1])


def _name_forms(query: str, people: Sequence[Person]) -> list[dict[str, set[str]]]:
    """Form of a name -> ids of those it may mean: whole names, parts of them, short forms. Only forms that the query can hold."""
    full: dict[str, set[str]] = {}
    parts: dict[str, set[str]] = {}
    short: dict[str, set[str]] = {}
    folded = query.casefold()
    capitals = [word for word in _WORD.findall(query) if len(word) > 2 and word[0].isupper()]
    for person in people:
        for name in person.names:
            if name and name.casefold() in folded:
                full.setdefault(name, set()).add(person.id)
            if _HAN.match(name):
                if len(name) > 2 and name[-2:] in query:
                    parts.setdefault(name[-2:], set()).add(person.id)
                for nick in (f"小{name[0]}", f"老{name[0]}", f"小{name[-1]}", f"阿{name[-1]}"):
                    if nick in query:
                        short.setdefault(nick, set()).add(person.id)
                continue
            # A part counts where it is written as a name: "Anna" of "Anna Berg", not "support" of "support-agent".
            for part in (part for part in _WORD.findall(name) if len(part) > 1 and part[0].isupper() and part[:3].casefold() in folded):
                parts.setdefault(part, set()).add(person.id)
                for capital in capitals:
                    if len(capital) < len(part) and part.casefold().startswith(capital.casefold()):
                        short.setdefault(capital, set()).add(person.id)
    return [full, parts, short]


def _mentions(form: str, query: str) -> list[tuple[int, int]]:
    """Where the query holds this form of a name.

    Without its capital it counts only in a query that has none (but its first letter); an ordinary word (Will, May, Rose) never does,
    and at the start of the sentence neither.
    """
    if _HAN.match(form):
        return [match.span() for match in re.finditer(re.escape(form), query)]
    spans: list[tuple[int, int]] = []
    careless = query[1:] == query[1:].lower()
    ordinary = form.casefold() in _ORDINARY
    for match in re.finditer(rf"(?<![\w@./-]){re.escape(form)}(?![\w@]|[./-]\w)(?:['’]s\b|['’](?!\w))?", query, re.IGNORECASE):
        spelt = match.group().startswith(form) or match.group()[0].isupper()
        if (spelt and match.start() > 0) if ordinary else (spelt or careless):
            spans.append(match.span())
    return spans
