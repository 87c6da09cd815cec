"""English verb groups: auxiliaries, negation, adverbs and main verb, found by their place among closed-class words."""

from dataclasses import dataclass
from typing import Final

from consilience.ingest.extraction.tables import word_class
from consilience.ingest.extraction.tokens import Token

_FIRST_SECOND: Final = frozenset({"i", "you", "we", "they", "who"})
_PERFECT: Final = frozenset({"have", "has", "'ve", "had"})


@dataclass(frozen=True, slots=True)
class Group:
    """A verb group, tokens[start:end). `lemma` and place `main` of its main verb; `be`: copula, passive or progressive."""

    start: int
    end: int
    main: int
    lemma: str
    passive: bool = False
    copula: bool = False
    past: bool = False
    perfect: bool = False
    progressive: bool = False
    modal: str | None = None
    negated: bool = False
    used_to: bool = False


def verb_groups(words: list[Token]) -> list[Group]:
    """The finite verb groups of a sentence in order, those of relative clauses too."""
    found: list[Group] = []
    at = 0
    while at < len(words):
        group = _group(words, at) if _finite(words, at) else None
        if group is None:
            at += 1
        else:
            found.append(group)
            at = group.end
    return found


def _finite(words: list[Token], at: int) -> bool:
    """Whether a finite verb group can begin here."""
    word = words[at]
    before = words[at - 1] if at else None
    if word.tag == "POSS":
        return _is_contraction(words, at)
    if word.tag in {"BE", "HAVE", "DO", "MODAL"}:
        return word.lower not in {"be", "been", "being", "having"} and not (before and before.lower == "to")
    if word.tag != "VERB":
        return _unknown_verb(words, at)
    if before is None:
        return word.is_form("bd") is not None and word.lower not in word_class("shy")
    if before.tag in {"DET", "PREP", "POSS", "BE", "NUM", "MODAL"} or before.lower == "to":
        return False
    plural = _nominative(words, at)
    if word.is_form("s") or word.is_form("d"):
        return not (word.lower in word_class("shy") and not plural) and not _modifies(words, at)
    return word.is_form("b") is not None and (
        plural or before.tag == "CONJ" or (before.text == "," and word.lower not in word_class("shy"))
    )


def _nominative(words: list[Token], at: int) -> bool:
    """Whether the nearest word before, adverbs aside, is I, you, we, they or a plural."""
    back = at - 1
    while back >= 0 and words[back].tag in {"ADV", "NEG"}:
        back -= 1
    if back < 0:
        return False
    word = words[back]
    joined = back >= 2 and words[back - 1].lower == "and"
    return (
        word.lower in _FIRST_SECOND
        or word.lower in word_class("plural_people")
        or joined
        or (word.tag == "WORD" and word.lower.endswith("s"))
    )


def _modifies(words: list[Token], at: int) -> bool:
    """A participle before a noun ("the used car") or a plural noun after an adjective, not a verb."""
    return (
        at + 1 < len(words) and words[at].is_form("n") is not None and at > 0 and words[at - 1].lower in {"the", "a", "an", "very", "most"}
    )


def _unknown_verb(words: list[Token], at: int) -> bool:
    """A word no table knows, where only a verb can stand: "Ana codesigns hats", "I vibe with it"."""
    word = words[at]
    if word.tag != "WORD" or at == 0 or at + 1 >= len(words) or not word.text.isalpha() or len(word.text) < 3:
        return False
    before = words[at - 1]
    if before.lower in {"i", "we", "they"}:
        return words[at + 1].tag != "BE"
    if before.lower in {"he", "she"} or (before.tag == "NAME" and all(w.tag == "NAME" for w in words[:at])):
        return word.lower.endswith(("s", "ed")) and not word.lower.endswith(("ss", "ous", "ness"))
    return False


def _is_contraction(words: list[Token], at: int) -> bool:
    """Whether 's after a name is "is": before a participle, adjective-like word or article, never before a plain noun phrase."""
    following = words[at + 1] if at + 1 < len(words) else None
    if following is None:
        return False
    return (
        following.tag in {"DET", "NEG", "PREP"} or following.is_form("g") is not None or following.lower in {"now", "married", "allergic"}
    )


@dataclass(slots=True)
class _Scan:
    """What has been seen of a verb group that begins at `start`; places are indexes of words, -1 none."""

    words: list[Token]
    start: int
    main: int
    be: int = -1
    lemma: str = ""
    kind: str = ""
    modal: str | None = None
    past: bool = False
    perfect: bool = False
    negated: bool = False
    used: int = -1

    def take(self, at: int) -> int:
        """How many words at this place belong to the group; 0 ends it."""
        word = self.words[at]
        if word.tag == "NEG":
            self.negated = True
        elif word.tag == "BE" or (word.tag == "POSS" and at == self.start):
            if self.lemma:
                return 0
            self.be = self.main = at
            self.past = self.past or word.lower in {"was", "were"}
        elif word.tag == "MODAL" and at == self.start:
            self.modal, self.main = word.lower, at
        elif word.tag in {"HAVE", "DO"} and not self.lemma and self.be < 0 and _helps(self.words, at):
            self.perfect = self.perfect or (word.tag == "HAVE" and word.lower in _PERFECT)
            self.past, self.main = self.past or word.lower in {"had", "did"}, at
        elif word.tag == "ADV" and not self.lemma:
            pass
        elif word.lower == "used" and self.be < 0 and at + 1 < len(self.words) and self.words[at + 1].lower == "to":
            self.used = at
            return 2
        else:
            return self._take_main(at)
        return 1

    def _take_main(self, at: int) -> int:
        helped = self.modal is not None or self.perfect or self.negated or self.used >= 0 or self.main < at
        reading = None if self.lemma else _main(self.words, at, self.start, self.be, helped=helped)
        if reading is None:
            return 0
        self.lemma, self.kind = reading
        self.main = at
        return 1


def _group(words: list[Token], start: int) -> Group | None:
    """The verb group that begins here: auxiliaries, negation, adverbs, main verb."""
    scan = _Scan(words, start, start)
    at = start
    while at < len(words) and (taken := scan.take(at)):
        at += taken
    if not scan.lemma and scan.be < 0 and scan.used < 0:
        return None
    end = max(scan.main + 1, scan.used + 2)
    while end < at and words[end].tag == "NEG":
        end += 1
    copula = scan.be >= 0 and not scan.lemma
    return Group(
        start,
        _over_negation(words, end) if copula else end,
        scan.main,
        scan.lemma or "be",
        passive=scan.be >= 0 and scan.kind == "n",
        copula=copula,
        past=scan.past or (scan.kind == "d" and scan.be < 0 and not scan.perfect),
        perfect=scan.perfect,
        progressive=scan.be >= 0 and scan.kind == "g",
        modal=scan.modal,
        negated=scan.negated or _negated_before(words, start),
        used_to=scan.used >= 0,
    )


def _over_negation(words: list[Token], end: int) -> int:
    """Over "not", "no longer", "now" right after a copula."""
    while end < len(words) and words[end].tag in {"NEG", "ADV"}:
        end += 1
    return end


def _negated_before(words: list[Token], start: int) -> bool:
    """ "I never eat", "she no longer works": the negation stands before the verb group, adverbs aside."""
    back = start - 1
    while back >= 0 and words[back].tag == "ADV":
        back -= 1
    return back >= 0 and words[back].tag == "NEG"


def _helps(words: list[Token], at: int) -> bool:
    """Whether have or do at this place is an auxiliary: a verb form follows, adverbs and negation aside."""
    step = at + 1
    while step < len(words) and (words[step].tag in {"NEG", "ADV"}):
        step += 1
    if step >= len(words):
        return False
    following = words[step]
    return following.lower == "been" or following.tag == "HAVE" or following.is_form("n" if words[at].tag == "HAVE" else "b") is not None


def _main(words: list[Token], at: int, start: int, be: int, *, helped: bool) -> tuple[str, str] | None:
    """Lemma and form kind of the main verb at this place, if it can be one here."""
    word = words[at]
    if be >= 0:
        for kinds in ("n", "g"):
            lemma = word.is_form(kinds)
            if lemma and word.tag in {"VERB", "WORD", "HAVE", "DO"}:
                return lemma, kinds
        return None
    if word.tag in {"VERB", "HAVE", "DO", "WORD"} and word.forms:
        kinds = "bn" if helped and at > start else "sdb"
        for kind in kinds:
            lemma = word.is_form(kind)
            if lemma:
                return lemma, kind
    if at == start and word.tag == "WORD":
        return _guessed(word.lower)
    return None


def _guessed(word: str) -> tuple[str, str]:
    if word.endswith("ed"):
        return word[:-2], "d"
    return (word[:-1], "s") if word.endswith("s") else (word, "b")
