"""Who holds among the open runs that contradict each other now (design §4, "Order of decision" 1, 4 and 6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from consilience.schema.beliefs import ConflictState, Grounds, Measures
from consilience.schema.domain import Status
from consilience.trust.settle.measures import Yardstick, standing
from consilience.trust.settle.runs import Run, is_marked, subject_votes


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    run: Run
    measures: Measures


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """`by`: what it lost to, `how` as Grounds.decided_by. `lost`: devalued (S40). `disputed`: served with a mark."""

    status: Status
    reason: str = ""
    by: Measured | None = None
    how: str = ""
    at: datetime | None = None
    lost: bool = False
    disputed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Clash:
    """One contradiction; the incumbent first."""

    sides: tuple[Run, ...]
    state: ConflictState
    opened_at: datetime
    grounds: Grounds | None = None
    decided_by: str | None = None


REASONS = {"time": "TIME", "change": "CHANGE", "subject": "SUBJECT", "standing": "STANDING", "ended": "ENDED"}
SUMMARIES = {
    "time": "later word of the same contributor",
    "change": "marked change, later in valid time",
    "subject": "the subject's own outright word",
    "standing": "better standing by the margin",
    "trust": "contradicts records of higher trust",
}


def reason_of(how: str) -> str:
    """The reason code of what was closed so; anything else is a decision's id."""
    return REASONS.get(how, "DECISION")


def grounds_of(winner: Measures, *, loser: Measures, how: str) -> Grounds:
    """Numbers and a code; never anybody's words."""
    return Grounds(
        summary=SUMMARIES.get(how, "a person's decision"),
        reliability=(winner.reliability, loser.reliability),
        freshness=(winner.freshness, loser.freshness),
        consistency=(winner.consistency, loser.consistency),
        decided_by=how,
    )


def _by_margin(one: Measured, *, other: Measured, yardstick: Yardstick) -> bool:
    """Freshness counts only where the newer of the two says that something changed: newest does not win by itself (S40)."""
    older, newer = sorted((one.run, other.run), key=lambda run: (run.since, run.first))
    changed = is_marked(newer.speaking, against=older)
    ours, theirs = (standing(known.measures, policy=yardstick.policy, with_freshness=changed) for known in (one, other))
    return ours - theirs >= yardstick.policy.margin - 1e-9  # sums of floats


def _by_subject(one: Measured, *, other: Measured, yardstick: Yardstick) -> bool:
    own = subject_votes(one.run, scene=yardstick.scene)
    if not own or subject_votes(other.run, scene=yardstick.scene):
        return False
    return other.measures.trust <= max(yardstick.policy.cap(vote.channel) for vote in own)


def beats(one: Measured, *, other: Measured, yardstick: Yardstick) -> str:
    """How this run beats a rival, as Grounds.decided_by; empty if it does not."""
    if other.run.ruling is None and one.run.ruling is not None:
        return "" if _on_merit(other, other=one, yardstick=yardstick) else one.run.ruling.decision.id
    return _on_merit(one, other=other, yardstick=yardstick)


def _on_merit(one: Measured, *, other: Measured, yardstick: Yardstick) -> str:
    if _by_subject(one, other=other, yardstick=yardstick):
        return "subject"
    if _by_subject(other, other=one, yardstick=yardstick):
        return ""
    return "standing" if _by_margin(one, other=other, yardstick=yardstick) else ""


def _order(known: Measured, *, yardstick: Yardstick) -> tuple[bool, bool, float, datetime, object]:
    own = bool(subject_votes(known.run, scene=yardstick.scene))
    height = standing(known.measures, policy=yardstick.policy, with_freshness=False)
    return (known.run.ruling is None, not own, -height, known.run.since, known.run.first)


def _tie(sides: Sequence[Measured], *, verdicts: dict[Run, Verdict]) -> Clash:
    """Nobody wins: the incumbent stays, marked; the others wait. With no earlier one all wait."""
    ordered = sorted(sides, key=lambda known: (known.run.since, known.run.first))
    alone = ordered[0].run.since < ordered[1].run.since
    for known in ordered:
        verdicts[known.run] = Verdict(Status.TO_VERIFY, "DISPUTED", disputed=True)
    if alone:
        verdicts[ordered[0].run] = Verdict(Status.ACTIVE, disputed=True)
    return Clash(tuple(known.run for known in ordered), ConflictState.OPEN, ordered[1].run.since)


def _defeat(loser: Measured, *, winner: Measured, how: str) -> Verdict:
    """An older loser is superseded; a newer one may still win when verified (S41)."""
    if loser.run.since < winner.run.since:
        return Verdict(Status.SUPERSEDED, reason_of(how), by=winner, how=how, at=winner.run.since, lost=True)
    return Verdict(Status.TO_VERIFY, "OUTWEIGHED", by=winner, how=how, lost=True)


def _decided(winner: Measured, *, losers: Sequence[tuple[Measured, str]]) -> Clash:
    first, how = losers[0]
    runs = sorted([winner.run, *(loser.run for loser, _ in losers)], key=lambda run: (run.since, run.first))
    ruled = winner.run.ruling is not None and how == winner.run.ruling.decision.id
    state = ConflictState.REVIEWED if ruled else ConflictState.SETTLED
    return Clash(tuple(runs), state, runs[1].start, grounds_of(winner.measures, loser=first.measures, how=how), how)


def contend(open_runs: Iterable[Measured], *, yardstick: Yardstick) -> tuple[dict[Run, Verdict], list[Clash]]:
    """A verdict for each open run. The best unbeaten one takes its rivals with it: those it beats lose, the rest are in dispute with it."""
    left: list[Measured] = sorted(open_runs, key=lambda known: _order(known, yardstick=yardstick))
    verdicts: dict[Run, Verdict] = {}
    clashes: list[Clash] = []
    while left:
        top = next((known for known in left if not _is_beaten(known, among=left, yardstick=yardstick)), left[0])
        rivals = _rivals(top, among=left, yardstick=yardstick)
        losers = [(rival, how) for rival in rivals if (how := beats(top, other=rival, yardstick=yardstick))]
        beaten = {loser.run for loser, _ in losers}
        equals = [rival for rival in rivals if rival.run not in beaten]
        verdicts[top.run] = Verdict(Status.ACTIVE)
        for loser, how in losers:
            verdicts[loser.run] = _defeat(loser, winner=top, how=how)
        if equals:
            clashes.append(_tie([top, *equals], verdicts=verdicts))
        elif losers:
            clashes.append(_decided(top, losers=losers))
        left = [known for known in left if known.run not in verdicts]
    return verdicts, clashes


def _rivals(one: Measured, *, among: Iterable[Measured], yardstick: Yardstick) -> list[Measured]:
    return [known for known in among if known is not one and yardstick.scene.rival(known.run.claim, one.run.claim)]


def _is_beaten(one: Measured, *, among: Iterable[Measured], yardstick: Yardstick) -> bool:
    return any(beats(rival, other=one, yardstick=yardstick) for rival in _rivals(one, among=among, yardstick=yardstick))
