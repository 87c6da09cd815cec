"""From runs and verdicts to what is stored: statuses, intervals, words and confidences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from consilience.schema.beliefs import Measures, SettledFact, Supersession, Suspect, Vote
from consilience.schema.domain import OPEN_END, Status
from consilience.trust.settle.contest import Measured, Verdict, grounds_of, reason_of
from consilience.trust.settle.measures import Yardstick, key_of, standing
from consilience.trust.settle.runs import Closing, Run, Sort
from consilience.trust.settle.voices import support
from consilience.trust.settle.votes import end_of, is_dated, is_event, moment, unit, weakness

# Closed by these, a run was true in its time: its confidence is not halved.
SUCCESSIONS = frozenset({"time", "change", "ended"})


def spokesman(run: Run, *, yardstick: Yardstick) -> Vote:
    """Whose words stand for it: current, outright, highest trust, newest, then shortest, then first in the alphabet."""
    speaking = {vote.statement for vote in run.speaking}

    def rank(vote: Vote) -> tuple[bool, bool, bool, float]:
        return (vote.statement not in speaking, bool(weakness(vote)), not vote.explicit, -yardstick.scene.trust(vote))

    def tail(vote: Vote) -> tuple[float, int, str, str, str]:
        age = (yardstick.newest - vote.at).total_seconds()
        return (age, len(vote.words), vote.words, vote.display, vote.statement)

    return min(run.everything, key=lambda vote: (*rank(vote), *tail(vote)))


def _closing_time(run: Run, *, closing: Closing) -> datetime:
    """When it ended: at the beginning of what followed; where that reaches back too far, when the last word for it was taken back."""
    if closing.by is not None and closing.by.start > run.start and closing.by.start >= run.last_at:
        return closing.by.start
    return max(closing.at, run.start)


def interval(run: Run, *, verdict: Verdict, yardstick: Yardstick) -> tuple[datetime, datetime]:
    """[valid_from, valid_to) of a run."""
    start = run.start
    if verdict.status is Status.SUPERSEDED and verdict.at is not None:
        return start, verdict.at
    ends = [end_of(vote) for vote in run.votes]
    if run.sort is Sort.PAST or all(is_event(vote, yardstick.scene.slot) for vote in run.votes):
        dated = [vote.valid_from for vote in run.votes if is_dated(vote)]
        return min(dated, default=start), max(ends)
    newest = max(run.speaking, key=moment)
    return start, max(end_of(newest), start)


def standing_verdict(run: Run, *, measured: Mapping[Run, Measured], against: bool) -> Verdict:
    """The verdict for a run that takes no part in a contest. `against`: something that is believed contradicts it."""
    if run.closing is not None:
        closing, lost = run.closing, run.closing.how not in SUCCESSIONS
        by = None if closing.by is None else measured[closing.by]
        return Verdict(Status.SUPERSEDED, reason_of(closing.how), by=by, how=closing.how, at=_closing_time(run, closing=closing), lost=lost)
    if run.sort is Sort.PAST:
        return Verdict(Status.SUPERSEDED, "ENDED")
    if run.sort is Sort.WAITING:
        return Verdict(Status.CANDIDATE, run.reason, lost=against)
    if run.sort is Sort.QUARANTINED:
        return Verdict(Status.QUARANTINED, run.reason, lost=True)
    assert run.sort is Sort.RETRACTED
    return Verdict(Status.RETRACTED, run.reason, lost=True)


@dataclass(frozen=True, slots=True)
class Judged:
    """A run with all that was found about it. `needed`: events for its next step."""

    run: Run
    measures: Measures
    verdict: Verdict
    needed: int


def _suspects(judged: Judged) -> tuple[Suspect, ...]:
    found: list[Suspect] = []
    if judged.verdict.disputed:
        found.append(Suspect.DISPUTED)
    if any(vote.instruction_like for vote in judged.run.everything):
        found.append(Suspect.INSTRUCTION_LIKE)
    return tuple(found)


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def fact_of(judged: Judged, *, yardstick: Yardstick) -> SettledFact:
    """The run as stored."""
    run, verdict, measures = judged.run, judged.verdict, judged.measures
    valid_from, valid_to = interval(run, verdict=verdict, yardstick=yardstick)
    sure = unit(max(vote.extractor_confidence for vote in run.speaking))
    voice, everything = spokesman(run, yardstick=yardstick), run.everything
    return SettledFact(
        key=key_of(run),
        display=voice.display,
        text=voice.words,
        status=verdict.status,
        confidence=unit(measures.reliability * sure * (yardstick.policy.loser_factor if verdict.lost else 1.0)),
        standing=unit(standing(measures, policy=yardstick.policy)),
        measures=measures,
        valid_from=valid_from,
        valid_to=min(valid_to, OPEN_END),
        support=support(everything, needed=judged.needed),
        statements=tuple(vote.statement for vote in everything),
        episodes=_unique([vote.episode for vote in everything]),
        suspect=_suspects(judged),
        reason=verdict.reason,
    )


def supersession_of(judged: Judged) -> Supersession | None:
    """The edge from what replaced it, if something did."""
    verdict = judged.verdict
    if verdict.status is not Status.SUPERSEDED or verdict.by is None or verdict.at is None:
        return None
    grounds = grounds_of(verdict.by.measures, loser=judged.measures, how=verdict.how)
    return Supersession(key_of(verdict.by.run), key_of(judged.run), verdict.at, grounds)
