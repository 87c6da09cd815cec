"""One group of claims that can contradict each other: its votes sorted into runs, by the decisions made so far."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from consilience.schema.beliefs import Decision, Vote
from consilience.trust.policy import Policy
from consilience.trust.settle.admission import waits_for
from consilience.trust.settle.gate import gated
from consilience.trust.settle.rulings import Rulings, ruling_of
from consilience.trust.settle.runs import Closing, Ruling, Run, Sort, Timeline, number_runs, past_runs
from consilience.trust.settle.votes import Claim, Phase, Scene, claim, end_of, is_ending, moment, phase, weakness


@dataclass(frozen=True, slots=True)
class Layout:
    """All runs of a group, numbered. `now`: the timeline's; `later`: those named to begin after now; they never contend with each other."""

    now: tuple[Run, ...]
    later: tuple[Run, ...]
    past: tuple[Run, ...]
    waiting: tuple[Run, ...]
    quarantined: tuple[Run, ...]
    retracted: tuple[Run, ...]
    reasons: Mapping[str, str] = field(default_factory=dict[str, str])  # statement id -> why it is quarantined

    @property
    def runs(self) -> list[Run]:
        return [*self.now, *self.later, *self.past, *self.waiting, *self.quarantined, *self.retracted]


def _fold(
    votes: Iterable[Vote], *, endings: Iterable[Vote], rulings: Iterable[Ruling], scene: Scene, policy: Policy
) -> tuple[list[Run], set[str]]:
    """The runs of these votes, and the endings that became part of one. At one time votes come first, then endings, then people."""
    events: list[tuple[tuple[datetime, int, datetime, str], Vote | Ruling]] = []
    events += [((vote.at, 0, vote.recorded_at, vote.statement), vote) for vote in votes]
    events += [((end_of(vote), 1, vote.recorded_at, vote.statement), vote) for vote in endings]
    events += [((ruling.at, 2, ruling.decision.at, ruling.decision.id), ruling) for ruling in rulings]
    timeline, used = Timeline(scene, policy=policy), set[str]()
    for order, event in sorted(events, key=lambda known: known[0]):
        if isinstance(event, Ruling):
            timeline.add_ruling(event)
        elif order[1] == 0:
            timeline.add_vote(event)
        elif timeline.add_ending(event):
            used.add(event.statement)
    return timeline.runs, used


def _by_claim(votes: Iterable[Vote]) -> dict[Claim, list[Vote]]:
    found: dict[Claim, list[Vote]] = {}
    for vote in votes:
        found.setdefault(claim(vote), []).append(vote)
    return found


def _waiting(votes: Iterable[Vote], *, rulings: Rulings, scene: Scene, policy: Policy) -> dict[str, str]:
    """Statement id -> reason code, for the votes that are too weak alone or whose claim has a bar to reach."""
    reasons: dict[str, str] = {}
    for those in _by_claim(votes).values():
        weak = {vote.statement: weakness(vote) for vote in those if weakness(vote) and vote.statement not in rulings.released}
        plain = [vote for vote in those if vote.statement not in weak]
        reasons |= weak
        if plain and not any(vote.statement in rulings.released for vote in plain):
            bar = waits_for(plain, scene=scene, policy=policy)
            if bar is not None:
                reasons |= {vote.statement: bar.reason for vote in plain}
    return reasons


def _set_aside(votes: Iterable[Vote], *, reasons: Mapping[str, str], beside: Sequence[Run]) -> list[Run]:
    """Waiting votes join a run of their claim that was not over when they were said, without counting; else they wait in their own."""
    waiting: dict[Claim, Run] = {}
    for vote in sorted(votes, key=moment):
        same = sorted((run for run in beside if run.claim == claim(vote)), key=lambda run: run.first)
        host = next((run for run in same if run.closing is None or run.closing.at >= vote.at), None) if weakness(vote) else None
        if host is not None:
            host.aside.append(vote)
            continue
        run = waiting.setdefault(claim(vote), Run(claim(vote), Sort.WAITING))
        run.votes.append(vote)
        if not run.reason or not weakness(vote):
            run.reason = reasons[vote.statement]
    return list(waiting.values())


def _outdate(waiting: Iterable[Run], *, said: Sequence[Vote], home: Mapping[str, Run], scene: Scene) -> None:
    """Close what waits when all who said it have said something else since; a weak word outdates only weak ones."""
    by_contributor: dict[str, list[Vote]] = {}
    for vote in said:
        by_contributor.setdefault(vote.contributor, []).append(vote)

    def successor(old: Vote) -> Vote | None:
        later = (
            new for new in by_contributor.get(old.contributor, ()) if moment(new) > moment(old) and scene.replaces(claim(new), claim(old))
        )
        return min((new for new in later if weakness(old) or not weakness(new)), key=moment, default=None)

    for run in waiting:
        latest = {vote.contributor: vote for vote in sorted(run.votes, key=moment)}
        heirs = [successor(vote) for vote in latest.values()]
        known = [heir for heir in heirs if heir is not None]
        if len(known) == len(heirs):
            last = max(known, key=moment)
            run.closing = Closing(home[last.statement], "time", last.at)


def _own_runs(votes: Iterable[Vote], *, sort: Sort, reasons: Mapping[str, str]) -> list[Run]:
    """One run a claim and reason, in order."""
    runs: dict[tuple[Claim, str], Run] = {}
    for vote in sorted(votes, key=moment):
        reason = reasons[vote.statement]
        runs.setdefault((claim(vote), reason), Run(claim(vote), sort, reason=reason)).votes.append(vote)
    return list(runs.values())


def lay_out(votes: Sequence[Vote], *, rulings: Rulings, scene: Scene, policy: Policy) -> Layout:
    """Sort a group's votes into runs under these rulings."""
    retracted = [vote for vote in votes if vote.statement in rulings.removed]
    kept = [vote for vote in votes if vote.statement not in rulings.removed]
    stopped = gated(kept, rulings=rulings, scene=scene, policy=policy)
    passed = [vote for vote in kept if vote.statement not in stopped]
    reasons = _waiting(passed, rulings=rulings, scene=scene, policy=policy)
    phases: dict[Phase, list[Vote]] = {known: [] for known in Phase}
    for vote in passed:
        if vote.statement not in reasons:
            phases[phase(vote, slot=scene.slot, now=scene.now)].append(vote)
    endings = [vote for vote in phases[Phase.PAST] if is_ending(vote)]
    now, used = _fold(phases[Phase.PRESENT], endings=endings, rulings=rulings.winners, scene=scene, policy=policy)
    later, _ = _fold(phases[Phase.FUTURE], endings=(), rulings=rulings.winners, scene=scene, policy=policy)
    past = past_runs(vote for vote in phases[Phase.PAST] if vote.statement not in used)
    waiting = _set_aside((vote for vote in passed if vote.statement in reasons), reasons=reasons, beside=[*now, *later])
    fallen = dict.fromkeys(rulings.removed, "REJECTED")
    layout = Layout(
        tuple(now),
        tuple(later),
        tuple(past),
        tuple(waiting),
        tuple(_own_runs((vote for vote in kept if vote.statement in stopped), sort=Sort.QUARANTINED, reasons=stopped)),
        tuple(_own_runs(retracted, sort=Sort.RETRACTED, reasons=fallen)),
        stopped,
    )
    home = {vote.statement: run for run in layout.runs for vote in run.everything}
    present = [vote for vote in passed if phase(vote, slot=scene.slot, now=scene.now) is Phase.PRESENT]
    _outdate(waiting, said=present, home=home, scene=scene)
    number_runs(layout.runs)
    return layout


def lay_out_decided(votes: Sequence[Vote], *, decisions: Iterable[Decision], scene: Scene, policy: Policy) -> Layout:
    """The same under all decisions, each read as its key was meant: in the layout the decisions before it left."""
    rulings = Rulings()
    layout = lay_out(votes, rulings=rulings, scene=scene, policy=policy)
    for decision in sorted(decisions, key=lambda known: (known.at, known.id)):
        ruling = ruling_of(decision, runs=layout.runs)
        if ruling is not None:
            rulings = rulings.with_ruling(ruling, scene=scene)
            layout = lay_out(votes, rulings=rulings, scene=scene, policy=policy)
    return layout
