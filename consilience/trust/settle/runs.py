"""The slot's timeline: votes, endings and decisions, oldest first, folded into runs of one claim each (design §4, "Facts").

A run is open while the word of at least one contributor stands for it. It is closed when the last of them says otherwise, when a
marked change succeeds it, when a state ends, or by a person. The next vote for its claim then begins another run; only a person's
closing is undone by a later vote, so that a restore leaves no trace in how runs are counted (T18).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from consilience.schema.beliefs import Decision, DecisionKind, Vote
from consilience.schema.statements import Change
from consilience.trust.policy import Policy
from consilience.trust.settle.votes import SUCCEEDING, Claim, Moment, Scene, claim, end_of, is_dated, moment, start_of, unit


class Sort(Enum):
    """What kind of run it is."""

    TIMELINE = "TIMELINE"
    PAST = "PAST"  # closed intervals that ended
    WAITING = "WAITING"  # not enough to be believed or to contradict anything
    QUARANTINED = "QUARANTINED"
    RETRACTED = "RETRACTED"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision with the statements it is about, as they stood when it was made."""

    decision: Decision
    claim: Claim
    statements: frozenset[str]
    at: datetime  # from when it binds


@dataclass(frozen=True, slots=True, eq=False)
class Closing:
    """`by` None: ended without anything in its place. `how`: as Grounds.decided_by."""

    by: "Run | None"
    how: str
    at: datetime


@dataclass(slots=True, eq=False)
class Run:
    """One value over one unbroken stretch; built up while the timeline is folded, not changed afterwards.

    `fresh`: index of the first vote since it was (re)opened. `speakers`: whose word stands for it. `aside`: statements that agree
    with it but are too weak to count. `reason`: why a run that is not of the timeline is where it is.
    """

    claim: Claim
    sort: Sort
    votes: list[Vote] = field(default_factory=list[Vote])
    aside: list[Vote] = field(default_factory=list[Vote])
    speakers: set[str] = field(default_factory=set[str])
    fresh: int = 0
    closing: Closing | None = None
    ruling: Ruling | None = None
    reason: str = ""
    number: int = 0

    @property
    def is_open(self) -> bool:
        return self.sort is Sort.TIMELINE and self.closing is None

    @property
    def speaking(self) -> list[Vote]:
        """The votes that count for it: all by those whose word stands; if nobody's does any more, all."""
        recent = self.votes[self.fresh :]
        return [vote for vote in recent if vote.contributor in self.speakers] or recent or self.votes

    @property
    def first(self) -> Moment:
        return min(moment(vote) for vote in self.votes)

    @property
    def start(self) -> datetime:
        return min(start_of(vote) for vote in self.votes)

    @property
    def since(self) -> datetime:
        """When the word that counts for it began: its start, or when it was taken up again after a person's decision against it."""
        return min(start_of(vote) for vote in self.votes[self.fresh :] or self.votes)

    @property
    def last_at(self) -> datetime:
        return max(vote.at for vote in self.votes)

    @property
    def everything(self) -> list[Vote]:
        return sorted([*self.votes, *self.aside], key=moment)

    @property
    def is_verified(self) -> bool:
        return self.ruling is not None and self.ruling.decision.kind is DecisionKind.CONFIRM


def is_mark(vote: Vote) -> bool:
    """Whether the vote says that something changed: by a word for it, or by naming when it began."""
    return vote.change in SUCCEEDING or is_dated(vote)


def is_marked(votes: Iterable[Vote], *, against: Run) -> bool:
    """Whether one of the votes says that something changed since the run's last word."""
    marks = [vote.at for vote in votes if is_mark(vote)]
    return bool(marks) and max(marks) > max(said.at for said in against.speaking)


def subject_votes(run: Run, *, scene: Scene) -> list[Vote]:
    """The subject's own outright words for it, where they count more than others'."""
    return [vote for vote in run.speaking if scene.by_subject(vote)] if scene.slot.personal else []


def run_trust(run: Run, *, scene: Scene, policy: Policy) -> float:
    """Best channel trust x reputation of those who speak for it, 0..1; a curator's CONFIRM counts as verified."""
    best = max(scene.trust(vote) for vote in run.speaking)
    return unit(max(best, policy.verified)) if run.is_verified else best


@dataclass(frozen=True, slots=True)
class _Summary:
    """What succeeding a run is asked of, as long as nobody joins or leaves it. `own`: up to where the subject's own word guards it."""

    size: tuple[int, int]
    last_said: datetime
    trust: float
    own: float | None


class Timeline:
    """The fold. `runs` in the order they began."""

    def __init__(self, scene: Scene, *, policy: Policy) -> None:
        self._scene = scene
        self._policy = policy
        self._open: dict[Claim, Run] = {}
        self._undoable: dict[Claim, Run] = {}  # closed by a person
        self._said: dict[str, dict[Claim, Run]] = {}  # contributor -> where their word stands
        self._summaries: dict[Run, _Summary] = {}
        self.runs: list[Run] = []

    def add_vote(self, vote: Vote) -> None:
        """One more plain vote, not earlier than all before it."""
        said = claim(vote)
        own = self._said.setdefault(vote.contributor, {})
        left = [own.pop(old) for old in tuple(own) if self._scene.replaces(said, old)]
        for run in left:
            run.speakers.discard(vote.contributor)
        emptied = [(run, "change" if is_marked((vote,), against=run) else "time") for run in left if not run.speakers]
        succeeded = [(run, "change") for run in self._rivals(said) if run.speakers and self._may_succeed(vote, run=run)]
        joined = self._run_for(said)
        joined.votes.append(vote)
        joined.speakers.add(vote.contributor)
        own[said] = joined
        for run, how in (*emptied, *succeeded):
            self._close(run, closing=Closing(joined, how, vote.at))

    def add_ending(self, vote: Vote) -> bool:
        """A vote that says its claim held until then. True if it became part of the run it ended."""
        said = claim(vote)
        run = self._open.get(said)
        if run is None:
            return False
        own = vote.contributor in run.speakers
        others = [other for other in run.speaking if other.contributor != vote.contributor]
        over = vote.change is Change.USED_TO and all(other.at < end_of(vote) for other in others)
        ends = not others or (over and self._has_authority(vote, run=run))
        if not own and not ends:
            return False
        run.aside.append(vote)
        if own:
            run.speakers.discard(vote.contributor)
            self._said[vote.contributor].pop(said, None)
        if ends:
            self._close(run, closing=Closing(None, "ended", end_of(vote)))
        return True

    def add_ruling(self, ruling: Ruling) -> None:
        """A person's decision: its run stands, all that contradicts it so far is closed by it. Void without its evidence."""
        named = [run for run in self.runs if any(vote.statement in ruling.statements for vote in run.votes)]
        if not named:
            return
        run, same = named[-1], self._open.get(ruling.claim)
        if same is not None and same is not run:
            if ruling.decision.kind is DecisionKind.RESTORE:  # this run and no other of its value is to be in force
                self._close(same, closing=Closing(run, ruling.decision.id, ruling.at))
            else:
                run = same
        if not run.is_open:
            self._undoable.pop(run.claim, None)
            self._reopen(run)
        run.ruling = ruling
        for rival in self._rivals(run.claim):
            self._close(rival, closing=Closing(run, ruling.decision.id, ruling.at))
            self._undoable[rival.claim] = rival

    def _rivals(self, said: Claim) -> list[Run]:
        return [run for other, run in self._open.items() if self._scene.rival(said, other)]

    def _run_for(self, said: Claim) -> Run:
        if said in self._open:
            return self._open[said]
        run = self._undoable.pop(said, None)
        if run is None:
            run = Run(said, Sort.TIMELINE)
            self.runs.append(run)
        run.closing, run.fresh, run.speakers = None, len(run.votes), set()
        self._open[said] = run
        return run

    def _reopen(self, run: Run) -> None:
        run.closing, run.fresh = None, 0
        run.speakers = {vote.contributor for vote in run.votes}
        self._open[run.claim] = run
        for contributor in run.speakers:
            self._said.setdefault(contributor, {})[run.claim] = run

    def _close(self, run: Run, *, closing: Closing) -> None:
        if run.closing is not None:
            return
        run.closing, run.ruling = closing, None
        self._open.pop(run.claim, None)
        for contributor in run.speakers:
            self._said[contributor].pop(run.claim, None)

    def _summary(self, run: Run) -> _Summary:
        """Kept while the run is the same: a long run must not be read again for each vote against it."""
        size = (len(run.votes), len(run.speakers))
        known = self._summaries.get(run)
        if known is None or known.size != size or run.ruling is not None:
            words = subject_votes(run, scene=self._scene)
            own = max((self._policy.cap(word.channel) for word in words), default=None)
            last = max(vote.at for vote in run.speaking)
            known = _Summary(size, last, run_trust(run, scene=self._scene, policy=self._policy), own)
            self._summaries[run] = known
        return known

    def _may_succeed(self, vote: Vote, *, run: Run) -> bool:
        return is_mark(vote) and vote.at > self._summary(run).last_said and self._has_authority(vote, run=run)

    def _has_authority(self, vote: Vote, *, run: Run) -> bool:
        """Order of decision 4 and 5: the subject, or trust not below the run's. (Who gave all of it has left it by saying otherwise.)"""
        if self._scene.by_subject(vote):
            return True
        trust, summary = self._scene.trust(vote), self._summary(run)
        return (summary.own is None or trust > summary.own) and trust >= summary.trust


def past_runs(votes: Iterable[Vote]) -> list[Run]:
    """Closed intervals that ended: those of one claim that touch each other are one run."""
    by_claim: dict[Claim, list[Vote]] = {}
    for vote in votes:
        by_claim.setdefault(claim(vote), []).append(vote)
    runs: list[Run] = []
    for said, those in by_claim.items():
        reach: datetime | None = None
        for vote in sorted(those, key=lambda known: (start_of(known), moment(known))):
            if reach is None or start_of(vote) > reach:
                runs.append(Run(said, Sort.PAST))
            runs[-1].votes.append(vote)
            reach = end_of(vote) if reach is None else max(reach, end_of(vote))
    return runs


def number_runs(runs: Sequence[Run]) -> None:
    """Count the runs of each claim in the order they began, whatever became of them."""
    counts: dict[Claim, int] = {}
    for run in sorted(runs, key=lambda known: known.first):
        run.number = counts.get(run.claim, 0)
        counts[run.claim] = run.number + 1
