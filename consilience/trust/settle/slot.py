"""The whole of a slot: groups of claims laid out, measured, contended and written down."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from consilience.schema.beliefs import ConflictState, DecisionKind, SettledConflict, Settlement, SlotEvidence, Vote
from consilience.schema.domain import OPEN_START, Status
from consilience.schema.statements import Arity
from consilience.trust.policy import DEFAULT, Policy
from consilience.trust.settle.admission import waits_for
from consilience.trust.settle.contest import Clash, Measured, Verdict, contend, grounds_of
from consilience.trust.settle.facts import Judged, fact_of, standing_verdict, supersession_of
from consilience.trust.settle.layout import Layout, lay_out_decided
from consilience.trust.settle.measures import Yardstick, key_of, measure
from consilience.trust.settle.runs import Run, Sort
from consilience.trust.settle.votes import Phase, Scene, moment, phase, weakness


def _groups(votes: Iterable[Vote], *, evidence: SlotEvidence) -> list[tuple[Vote, ...]]:
    """The votes apart by what can contradict each other: all of a slot of arity one, else one value, or values that exclude each other."""
    parent: dict[str, str] = {}

    def root(value: str) -> str:
        parent.setdefault(value, value)
        while parent[value] != value:
            parent[value] = parent[parent[value]]
            value = parent[value]
        return value

    for one, other in sorted(evidence.exclusive):
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    found: dict[str, list[Vote]] = {}
    for vote in votes:
        found.setdefault("" if evidence.slot.arity is Arity.ONE else root(vote.value_key), []).append(vote)
    return [tuple(found[name]) for name in sorted(found)]


def _newest(votes: Sequence[Vote], *, layouts: Iterable[Layout], scene: Scene) -> datetime:
    """The slot's newest vote about now, quarantined ones apart: nobody ages a belief from outside the gate."""
    stopped = frozenset[str]().union(*(layout.reasons for layout in layouts))
    inside = [vote for vote in votes if vote.statement not in stopped] or votes
    present = [vote for vote in inside if phase(vote, slot=scene.slot, now=scene.now) is Phase.PRESENT] or inside
    return max((vote.at for vote in present), default=OPEN_START)


def _needed(run: Run, *, yardstick: Yardstick) -> int:
    """Events for the next step: what it waits for, else one."""
    plain = [vote for vote in run.votes if not weakness(vote)]
    bar = waits_for(plain, scene=yardstick.scene, policy=yardstick.policy) if run.sort is Sort.WAITING and plain else None
    return 1 if bar is None else max(bar.events, bar.origins)


def _gate_clash(layout: Layout, *, measured: Mapping[Run, Measured], scene: Scene) -> Clash | None:
    """What the write gate stopped, beside what it contradicts, for curators to see."""
    stopped = [run for run in layout.quarantined if run.reason == "CONTRADICTS_TRUSTED"]
    held = [run for run in layout.now if run.is_open and any(scene.rival(run.claim, other.claim) for other in stopped)]
    if not stopped or not held:
        return None
    held.sort(key=lambda run: (-measured[run].measures.trust, run.first))
    outside = sorted(stopped, key=lambda run: run.first)
    grounds = grounds_of(measured[held[0]].measures, loser=measured[outside[0]].measures, how="trust")
    return Clash((*held, *outside), ConflictState.SETTLED, outside[0].start, grounds, "trust")


def _ruled_clashes(layout: Layout, *, measured: Mapping[Run, Measured]) -> list[Clash]:
    """Contradictions that a person decided, a restore apart: it only undoes."""
    found: list[Clash] = []
    for run in (*layout.now, *layout.later):
        if not run.is_open or run.ruling is None or run.ruling.decision.kind is DecisionKind.RESTORE:
            continue
        decided = run.ruling.decision.id
        closed = [other for other in layout.runs if other.closing is not None and other.closing.by is run and other.closing.how == decided]
        if closed:
            sides = sorted([run, *closed], key=lambda known: (known.start, known.first))
            grounds = grounds_of(measured[run].measures, loser=measured[closed[0]].measures, how=decided)
            found.append(Clash(tuple(sides), ConflictState.REVIEWED, sides[1].start, grounds, decided))
    return found


@dataclass(frozen=True, slots=True)
class GroupOutcome:
    judged: tuple[Judged, ...]
    clashes: tuple[Clash, ...]


def _settle_group(layout: Layout, *, yardstick: Yardstick) -> GroupOutcome:
    measured = {run: Measured(run, measure(run, yardstick=yardstick)) for run in layout.runs}
    verdicts: dict[Run, Verdict] = {}
    clashes: list[Clash] = []
    for timeline in (layout.now, layout.later):
        found, fought = contend((measured[run] for run in timeline if run.is_open), yardstick=yardstick)
        verdicts |= found
        clashes += fought
    believed = [run.claim for run in layout.now if run in verdicts and verdicts[run].status is Status.ACTIVE]
    for run in layout.runs:
        if run not in verdicts:
            against = any(yardstick.scene.rival(run.claim, claim) for claim in believed)
            verdicts[run] = standing_verdict(run, measured=measured, against=against)
    gate = _gate_clash(layout, measured=measured, scene=yardstick.scene)
    clashes += [*_ruled_clashes(layout, measured=measured), *([] if gate is None else [gate])]
    judged = tuple(Judged(run, measured[run].measures, verdicts[run], _needed(run, yardstick=yardstick)) for run in layout.runs)
    return GroupOutcome(judged, tuple(clashes))


def _conflict(clashes: Sequence[Clash]) -> SettledConflict | None:
    """At most one a slot: all that is open together; else what a person decided, else what was settled, earliest first."""
    if not clashes:
        return None
    rank = {ConflictState.OPEN: 0, ConflictState.REVIEWED: 1, ConflictState.SETTLED: 2}
    best = min(rank[clash.state] for clash in clashes)
    chosen = sorted((clash for clash in clashes if rank[clash.state] == best), key=lambda clash: (clash.opened_at, clash.sides[0].first))
    first = chosen[0]
    sides = tuple(dict.fromkeys(key_of(run) for clash in chosen for run in clash.sides))
    return SettledConflict(sides, first.state, first.opened_at, first.grounds, first.decided_by)


def settle(evidence: SlotEvidence, *, policy: Policy = DEFAULT, now: datetime) -> Settlement:
    """What a slot's evidence comes to at `now` (design §4).

    Pure, total and deterministic: the order of votes and decisions does not matter, a statement given twice counts once, nothing
    that was settled before comes in. Facts are ordered by when they began, then by key.
    """
    unique = {vote.statement: vote for vote in sorted(evidence.votes, key=lambda vote: (moment(vote), repr(vote)))}
    votes = sorted(unique.values(), key=moment)
    scene = Scene.of(evidence, now=now)
    layouts = [
        lay_out_decided(group, decisions=evidence.decisions, scene=scene, policy=policy) for group in _groups(votes, evidence=evidence)
    ]
    yardstick = Yardstick(scene, policy, evidence.consistency, _newest(votes, layouts=layouts, scene=scene))
    outcomes = [_settle_group(layout, yardstick=yardstick) for layout in layouts]
    judged = sorted((known for outcome in outcomes for known in outcome.judged), key=lambda known: (known.run.first, key_of(known.run)))
    edges = [edge for known in judged if (edge := supersession_of(known)) is not None]
    return Settlement(
        facts=tuple(fact_of(known, yardstick=yardstick) for known in judged),
        supersessions=tuple(edges),
        conflict=_conflict([clash for outcome in outcomes for clash in outcome.clashes]),
        quarantined={statement: reason for layout in layouts for statement, reason in sorted(layout.reasons.items())},
    )
