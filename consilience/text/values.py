"""When two values are one value, and when they exclude each other (design §4, Keys). Structure only: similarity never counts."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from consilience.text.chinese import simplified
from consilience.text.homoglyphs import unmixed
from consilience.text.numerals import chinese_number, english_number
from consilience.text.units import find_amount

_ARTICLE: Final = re.compile(r"^(?:the|a|an|my|our|any|some) (?=\S)")
_EDGES: Final = " \t\n\"'“”‘’「」『』.,;:!?。，；：！？"
_BLANKS: Final = re.compile(r"\s+")
_DATE: Final = re.compile(r"\d{4}(?:-\d\d(?:-\d\d(?:t\d\d(?::\d\d)?)?)?)?(?:/\d{4}(?:-\d\d){0,2})?")
_ABOUT: Final = re.compile(
    r"^(?:about|around|approximately|approx\.?|roughly|nearly|almost|circa|ca\.|~|exactly|约|大约|大概|差不多|将近)\s*|\s*(?:左右|上下|以内|整)$"
)
_NEGATION: Final = re.compile(
    r"^(?:(?:not|never|no longer|isn't|is not|aren't|are not|wasn't|was not)\s+|non-|(?:不再|并不|并非|不是|没有|没|非|不)\s*)(?=\S)"
)
_HAN_NUMBER: Final = re.compile(r"[零〇一二两三四五六七八九十百千万亿]+")
_HAN: Final = re.compile("[\u3400-\u9fff]")
_PLAIN_WORD: Final = re.compile(r"[a-z]{4,}")
_DIGIT_WORDS: Final = r"(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:[- ]\w+)?)"
_NUMBER_WORD: Final = re.compile(rf"{_DIGIT_WORDS}(?: (?:hundred|thousand|million|billion|and|\w+(?:-\w+)?))*")
# Each line: values that exclude each other; "|" parts spellings of one value.
_GROUPS: Final = """
married single|unmarried divorced widowed
alive|living dead|deceased
open closed
on off
enabled|active disabled|inactive
true false
yes no
public private
hot cold
left right
up down
full empty
present absent
online offline
available unavailable
approved rejected pending
accepted declined
allowed forbidden|banned|prohibited
employed unemployed retired
male female
vegetarian|vegan carnivore|omnivore
healthy ill|sick
happy sad|unhappy
rich poor
early late
legal illegal
finished|done|completed|complete unfinished|incomplete
paid unpaid refunded
ordered|purchased|bought shipped delivered returned|refunded cancelled|canceled
pregnant
full-time part-time
introvert|introverted extrovert|extroverted
safe unsafe|dangerous
success|successful failure|failed
beginner intermediate expert|advanced
morning-person night-owl
已婚 单身|未婚 离婚|离异 丧偶
开 关
男 女
活着|健在 去世|已故
"""
_CHINESE_FORMS: Final = {
    "已婚": "married",
    "单身": "single",
    "未婚": "single",
    "离婚": "divorced",
    "离异": "divorced",
    "丧偶": "widowed",
    "男": "male",
    "女": "female",
}


@dataclass(frozen=True, slots=True)
class ValueKey:
    """Equal keys are one value. `negated`: the value itself says no ("not married" is ("married", True))."""

    key: str
    negated: bool = False

    def __str__(self) -> str:
        return f"-{self.key}" if self.negated else self.key


def _members() -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    for number, group in enumerate(_GROUPS.strip().splitlines()):
        for member in group.split():
            spellings = member.split("|")
            found.update((spelling, (number, spellings[0])) for spelling in spellings)
    return found


_MEMBERS: Final = _members()
_LISTS: Final = frozenset({"likes", "prefers", "wants", "plans", "listens_to", "learns", "plays", "eats", "drinks"})


def value_key(value: str, *, predicate: str) -> ValueKey:
    """The key of a value in a slot of this predicate. Total: any text has one; "" only for text without letters and digits.

    One value: 5 mg and 5000 µg; "twenty thousand" and 20,000; "the cats" and "cat"; 臺北 and 台北. Two: 3 mg and 5 mg;
    2026 and 2026-04 (another grain); SR-2023-052 and SR-2023-053; Rev A and Rev B; José and Jose.
    """
    text = _fold(value)
    negated = False
    stripped = _NEGATION.sub("", text)
    if stripped != text and predicate != "name" and (not _HAN.match(text) or stripped in _MEMBERS):
        text, negated = stripped, True
    bare = _ARTICLE.sub("", text) or text
    exact = _date_or_amount(bare)
    if exact is not None:
        return ValueKey(exact, negated)
    bare = _CHINESE_FORMS.get(bare, bare)
    if bare in _MEMBERS:
        return ValueKey(_MEMBERS[bare][1], negated)
    return ValueKey(_wording(bare, value, predicate) or bare, negated)


def exclusive(one: ValueKey, other: ValueKey) -> bool:
    """Whether both cannot hold at once by what they say: opposite polarity of one value, or members of one group of opposites."""
    if one.key == other.key:
        return one.negated != other.negated
    if one.negated or other.negated or one.key not in _MEMBERS or other.key not in _MEMBERS:
        return False
    return _MEMBERS[one.key][0] == _MEMBERS[other.key][0]


def name_key(name: str) -> str:
    """The key entities are linked by. Case, width, composition, blanks and invisible letters do not count; accents and scripts do.

    José Núñez is not Jose Nunez: only an alias somebody stated makes them one.
    """
    folded = _fold(name)
    return _ARTICLE.sub("", folded).removesuffix("'s") or folded


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", unmixed(unicodedata.normalize("NFKC", text))).replace("’", "'")
    folded = unicodedata.normalize("NFKC", plain.casefold())
    even = _BLANKS.sub(" ", folded)
    return simplified(even.strip(_EDGES) or even.strip())


def _date_or_amount(text: str) -> str | None:
    """A date with its grain or a number with its base unit, spelt one way; None if it is neither."""
    if _DATE.fullmatch(text):
        return f"@{text}" if len(text) > 4 else text
    bare = _ABOUT.sub("", text).strip()
    amount = find_amount(bare)
    if amount is None and (spelt := _spelt_number(bare)) is not None:
        amount = find_amount(spelt)
    return None if amount is None else str(amount)


def _spelt_number(text: str) -> str | None:
    """Digits for a leading number in words: "two million dollars", 两万元."""
    match = _HAN_NUMBER.match(text) or _NUMBER_WORD.match(text)
    if match is None:
        return None
    words = match.group().strip()
    while words:
        try:
            number = chinese_number(words) if _HAN.match(words) else english_number(words)
        except ValueError:
            words = words.rpartition(" ")[0]
            continue
        return f"{number} {text[len(words) :].strip()}".strip()
    return None


def _wording(text: str, value: str, predicate: str) -> str:
    """Plain words in the singular; names and identifiers as they are."""
    words = text.split(" ")
    spelt = value.split()
    if predicate in _LISTS and words[0].endswith("ing") and len(words[0]) > 5:
        words[0] = _without_ing(words[0])
    last = words[-1]
    named = bool(spelt) and spelt[-1][:1].isupper()
    if _PLAIN_WORD.fullmatch(last) and not named:
        words[-1] = _singular(last)
    return " ".join(words)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:s|x|z|ch|sh)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is", "ous", "news")) else word


def _without_ing(word: str) -> str:
    stem = word[:-3]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1]
    # hiking -> hike: after one vowel and one consonant the e was dropped
    return stem + "e" if re.search(r"[aeiou][bcdgkmrtvz]$", stem) and not re.search(r"[aeiou]{2}.$", stem) else stem
