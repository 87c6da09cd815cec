"""How many independent voices there are (S20, S56): a copy adds none, one person adds one, and copying never takes one away."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from consilience.schema.beliefs import Support, Vote


@dataclass(slots=True)
class _Matching:
    """Which group has which speaker, each at most one. `speakers`: who could speak for a group."""

    speakers: Mapping[Hashable, Sequence[Hashable]]
    holder: dict[Hashable, Hashable] = field(default_factory=dict[Hashable, Hashable])  # speaker -> group
    held: dict[Hashable, Hashable] = field(default_factory=dict[Hashable, Hashable])  # group -> speaker

    def add(self, group: Hashable) -> bool:
        """Find this group a speaker, moving others to another of theirs if need be (an augmenting path, breadth first)."""
        reached_by: dict[Hashable, Hashable] = {}
        asking = [group]
        for asker in asking:
            for speaker in self.speakers[asker]:
                if speaker in reached_by:
                    continue
                reached_by[speaker] = asker
                if speaker not in self.holder:
                    self._hand_over(speaker, reached_by=reached_by)
                    return True
                asking.append(self.holder[speaker])
        return False

    def _hand_over(self, speaker: Hashable, *, reached_by: Mapping[Hashable, Hashable]) -> None:
        """Walk the path back: each group on it takes the speaker it was reached by and frees the one it had."""
        step: Hashable | None = speaker
        while step is not None:
            group = reached_by[step]
            freed = self.held.get(group)
            self.holder[step], self.held[group] = group, step
            step = freed


def matched_groups(votes: Iterable[Vote], *, speaker: Callable[[Vote], Hashable], rank: Callable[[Vote], float]) -> list[str]:
    """The best groups that can each be given a speaker of its own, strongest first.

    A group is worth its best member (`rank`). Groups that can be given speakers at the same time form a matroid, so taking them
    greedily by worth gives the most, whatever the order of the votes, and one more vote never gives less.
    """
    worth: dict[str, float] = {}
    found: dict[Hashable, dict[Hashable, None]] = {}
    for vote in votes:
        worth[vote.group] = max(worth.get(vote.group, 0.0), rank(vote))
        found.setdefault(vote.group, {})[speaker(vote)] = None
    matching = _Matching({group: tuple(those) for group, those in found.items()})
    ranked = sorted(worth, key=lambda group: (-worth[group], group))
    return [group for group in ranked if matching.add(group)]


def voices(votes: Iterable[Vote], *, trust: Callable[[Vote], float]) -> tuple[float, ...]:
    """The trust of each independent voice, strongest first: one a group of copies, one a contributor."""
    votes = tuple(votes)
    best: dict[str, float] = {}
    for vote in votes:
        best[vote.group] = max(best.get(vote.group, 0.0), trust(vote))
    return tuple(best[group] for group in matched_groups(votes, speaker=lambda vote: vote.contributor, rank=trust))


def support(votes: Iterable[Vote], *, needed: int) -> Support:
    """Support counted twice: `events`, at most one for each group of copies and for each (contributor, session, day);
    `origins`, at most one for each group of copies and for each contributor."""
    votes = tuple(votes)

    def equal(_: Vote) -> float:
        return 1.0

    events = matched_groups(votes, speaker=lambda vote: (vote.contributor, vote.session, vote.at.date()), rank=equal)
    origins = matched_groups(votes, speaker=lambda vote: vote.contributor, rank=equal)
    times = [vote.at for vote in votes]
    return Support(
        events=len(events),
        origins=len(origins),
        contributors=len({vote.contributor for vote in votes}),
        needed=needed,
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )
