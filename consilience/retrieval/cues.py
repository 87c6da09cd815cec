"""What a turn shows at a glance: first person, question, time, place. Computed once, when an episode is digested."""

import re
from dataclasses import dataclass
from typing import Final

from consilience.text.words import normalise

_MONTHS = "january|february|march|april|june|july|august|september|october|november|december"
_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_SPANS = f"night|day|week|weekend|month|quarter|year|spring|summer|fall|autumn|winter|morning|evening|{_MONTHS}|may|{_DAYS}"
_FIRST: Final = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'll|us|our|ours)\b|[我咱俺]")
_TIME: Final = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|recently|lately|earlier|ago|soon|since|{_MONTHS}|(?:in|of|by|since|until|\d) may|{_DAYS}"
    rf"|(?:last|next|this|past|previous|coming|every|following) (?:\w+ )?(?:{_SPANS})s?"
    rf"|(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|several|couple of) (?:minute|hour|{_SPANS}|decade)s?"
    r"|(?:19|20)\d\d|\d{1,2}(?::\d\d)? ?[ap]m|\d{1,2}:\d\d|\d{1,2}(?:st|nd|rd|th))\b"
    r"|[昨今明前后]天|[上下这本][个]?(?:周|星期|礼拜|月|年|季度)|[去今明前后]年|周[一二三四五六日天末]|星期|礼拜|[\d一二三四五六七八九十两几](?:年|月|日|号|点|天|个月|小时|分钟)|刚才|刚刚|最近|以前|之前|早上|上午|中午|下午|晚上|凌晨"
)
# Case matters here: a capital after a preposition is the sign of a place's name.
_PLACE_NAME: Final = re.compile(
    rf"\b(?:in|at|to|from|near|around|outside|across|visited|visiting|toured?)\s+(?:the\s+)?(?!(?i:{_MONTHS}|may|{_DAYS})\b)[A-Z][\w'-]+"
)
_PLACE: Final = re.compile(
    r"\b(?:home|hometown|city|town|village|country|state|county|abroad|downtown|street|road|avenue|park|beach|lake|mountains?|river|island|forest|museum|gallery|library|school"
    r"|college|university|hospital|clinic|office|hotel|restaurant|caf[eé]|bar|studio|shop|store|mall|market|airport|station|church|gym|stadium|theat(?:er|re)|venue|farm|camp(?:site|ground)?"
    r"|neighbou?rhood|apartment|house|building|room|floor|address|located?|moved)\b"
    r"|[在去到往从住]|(?:市|省|县|区|镇|村|路|街|国|州|岛|山|湖|海边|公园|学校|大学|医院|酒店|餐厅|饭店|机场|车站|博物馆|图书馆|公司|办公室|家里|老家)"
)
_SENTENCE: Final = re.compile(r"[^.!?。！？;；\n]+[.!?。！？;；\n]*")
_ASKING: Final = re.compile(r"[?？]|[吗呢]\s*[。.!！~]?\s*$")


@dataclass(frozen=True, slots=True)
class Cues:
    """`question_share` 0..1: the share of the turn's characters that stand in questions."""

    first_person: bool
    question_share: float
    time: bool
    place: bool


NO_CUES: Final = Cues(first_person=False, question_share=0.0, time=False, place=False)


def cues(text: str) -> Cues:
    """The cues of one turn, English or Chinese; other languages show only their question marks and dates."""
    plain = normalise(text)
    return Cues(
        first_person=_FIRST.search(plain) is not None,
        question_share=question_share(text),
        time=_TIME.search(plain) is not None,
        place=_PLACE.search(plain) is not None or _PLACE_NAME.search(text) is not None,
    )


def question_share(text: str) -> float:
    """Share of the text's characters in sentences that ask, 0..1."""
    asked = total = 0
    for sentence in _SENTENCE.findall(text):
        size = len(sentence.strip())
        total += size
        asked += size if _ASKING.search(sentence) else 0
    return asked / total if total else 0.0
