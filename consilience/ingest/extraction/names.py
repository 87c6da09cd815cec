"""Names in a text and what they are likely names of: people, organisations, places. Small lists and endings, no model."""

import re
from functools import cache
from typing import Final, cast

from consilience.ingest.extraction.tables import read_table, word_class
from consilience.schema.statements import EntityKind, EntityMention

_PART: Final = r"[^\W\d_a-z][\w&'’-]*(?:\.(?=\w)\w*)*"
_LINK: Final = r"(?: (?:of|de|da|van|von|der|al|bin|&))? (?=[^\W\d_a-z])"
_NAME: Final = re.compile(rf"(?<![\w@/.])(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{_PART}(?:{_LINK}{_PART})*")
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_ORGANISATION: Final = re.compile(
    r"\b(?:Inc|Corp|Corporation|Ltd|LLC|GmbH|AG|SA|PLC|Co|Company|Group|Labs?|University|College|Institute|School|Bank|Hospital|Foundation|Association|Agency"
    r"|Ministry|Department|Studios?|Systems|Technologies|Software|Solutions|Partners|Holdings|Airlines|Motors|Energy|Media|Club|Church|Council)\b|(?:公司|集团|大学|学院|银行|医院|学校|研究所|科技|协会|部门|工作室)$"
)
_PLACE: Final = re.compile(
    r"\b(?:City|Street|Avenue|Road|Island|River|Lake|Mountain|County|Province|Republic|Kingdom|Bay|Beach|Valley|Village|Town|Park)\b|(?:市|省|县|区|镇|村|国|州|岛|路|街)$"
)
_FUNCTION: Final = word_class("no_names")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(
        part.strip().casefold() for part in cast("str", read_table("names.toml")[name]).replace("\n", ",").split(",") if part.strip()
    )


def name_kind(name: str) -> EntityKind:
    """What a name is likely the name of; OTHER if nothing tells."""
    if _ORGANISATION.search(name):
        return EntityKind.ORGANISATION
    folded = name.casefold()
    if folded in _listed("places") or folded.split(",")[0] in _listed("places"):
        return EntityKind.PLACE
    if folded in _listed("organisations"):
        return EntityKind.ORGANISATION
    if is_feminine(name) is not None or re.match(r"(?:Mr|Mrs|Ms|Dr|Prof)\b", name) or _chinese_person(name):
        return EntityKind.PERSON
    return EntityKind.PLACE if _PLACE.search(name) else EntityKind.OTHER


def is_feminine(name: str) -> bool | None:
    """Whether a first name or title says she (True) or he (False); None if it does not tell."""
    first = name.split(" ", maxsplit=1)[0].rstrip(".").casefold()
    if first in _listed("women") or first in {"mrs", "ms"}:
        return True
    return False if first in _listed("men") or first == "mr" else None


def _chinese_person(name: str) -> bool:
    return 2 <= len(name) <= 3 and bool(_HAN.match(name)) and name[0] in cast("str", read_table("names.toml")["surnames"])


def mentions(text: str) -> list[EntityMention]:
    """The names in a text in reading order: what the session keeps as `recent`."""
    found: list[EntityMention] = []
    for match in _NAME.finditer(text):
        name = re.sub(r"['’]s$", "", match.group().strip())
        words = name.split(" ")
        while words and words[0].casefold() in _FUNCTION:
            words = words[1:]
        if words and (len(words) > 1 or len(words[0]) > 1):
            found.append(mention(" ".join(words)))
    if _HAN.search(text):
        found.extend(mention(name) for name in _chinese_names(text))
    return found


def mention(name: str) -> EntityMention:
    """A name with what it tells of itself."""
    return EntityMention(name, name_kind(name), is_feminine(name))


def _chinese_names(text: str) -> list[str]:
    import rjieba  # loads its dictionary: only where Chinese stands

    return [
        word
        for word, tag in rjieba.tag(text)
        if len(word) > 1 and _HAN.match(word) and tag in {"ns", "nt", "nr"} and (tag != "nr" or _chinese_person(word))
    ]
