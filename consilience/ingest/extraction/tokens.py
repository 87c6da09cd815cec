"""English words with what they can be. A light closed-class tagger: no model, no guess over the whole sentence."""

import re
from typing import Final, NamedTuple

from consilience.ingest.extraction.tables import verb_forms, word_class

_TOKEN: Final = re.compile(
    r"""
    https?://[^\s,]+ | [\w.+-]+@[\w-]+(?:\.[\w-]+)+
  | (?:[$€£¥]\s?)?\d[\w]*(?:[.,:/'-]\w+)*%?          # numbers, dates, versions, amounts
  | n't\b | '(?:s|m|re|ve|ll|d)\b
  | [^\W\d_]+?(?=n't\b) | [^\W_](?:[^\W_]|[._/&+#@-](?=[^\W_]))*[+#]*(?:\.(?=\s[a-z]))?  # words, also with inner . - / &
  | [,;:()\[\]"“”—–!?.…] | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BE: Final = frozenset({"is", "are", "am", "was", "were", "be", "been", "being", "'m", "'re"})
_HAVE: Final = frozenset({"have", "has", "had", "'ve", "having"})
_DO: Final = frozenset({"do", "does", "did"})


class Token(NamedTuple):
    """`tag`: BE HAVE DO MODAL VERB NEG ADV PREP DET PRON CONJ SUB POSS NUM NAME WORD PUNCT. `forms`: (lemma, kind) readings of a verb."""

    text: str
    lower: str
    start: int
    end: int
    tag: str
    forms: tuple[tuple[str, str], ...] = ()

    def is_form(self, kinds: str) -> str | None:
        """The lemma, if this can be a verb in one of these forms (see tables.verb_forms)."""
        return next((lemma for lemma, kind in self.forms if kind in kinds), None)


def tokens(text: str) -> list[Token]:
    """The words and marks of a sentence in order, curly apostrophes read as straight ones, contractions taken apart."""
    straight = text.replace("’", "'").replace("‘", "'")
    found: list[Token] = []
    for match in _TOKEN.finditer(straight):
        word = match.group()
        lower = word.casefold()
        if lower == "longer" and found and found[-1].lower == "no":
            found[-1] = found[-1]._replace(tag="NEG")
        found.append(Token(word, lower, match.start(), match.end(), _tag(word, lower, found), verb_forms().get(lower, ())))
    return found


def _tag(word: str, lower: str, before: list[Token]) -> str:
    if lower == "'s":
        return "BE" if before and (before[-1].tag in {"PRON", "SUB"} or before[-1].lower in {"that", "what", "there"}) else "POSS"
    if lower in {"not", "n't", "never"}:
        return "NEG"
    if not word[0].isalnum() and word[0] not in "'$€£¥":
        return "PUNCT"
    if word[0].isdigit() or word[0] in "$€£¥":
        return "NUM"
    # A capital inside the sentence makes a name of any word: "The Man Who Was Thursday".
    if word[0].isupper() and before and word != "I" and not _begins(before) and not (word.isupper() and len(word) > 1 and lower in _BE):
        return "NAME"
    return _closed(lower) or ("VERB" if lower in verb_forms() else ("NAME" if word[0].isupper() else "WORD"))


def _begins(before: list[Token]) -> bool:
    return before[-1].text in {'"', "“", ":", "(", "—", "–"}


_CLASSES: Final = (
    ("BE", _BE),
    ("HAVE", _HAVE),
    ("DO", _DO),
    ("MODAL", "modals"),
    ("PRON", "pronouns"),
    ("DET", "determiners"),
    ("CONJ", "conjunctions"),
    ("PREP", "prepositions"),
    ("SUB", "subordinators"),
    ("ADV", "adverbs"),
)


def _closed(lower: str) -> str | None:
    for tag, words in _CLASSES:
        if lower in (word_class(words) if isinstance(words, str) else words):
            # "like" is a verb where one is looked for; the verb table keeps both readings.
            return "VERB" if lower == "like" else tag
    return None
