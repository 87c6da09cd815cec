"""Gathering what an explanation says, from the loaders of the request."""

from consilience.resolvers.beliefs import Explanation, ExplanationStep
from consilience.resolvers.context import Info
from consilience.resolvers.explaining import Known, Step, episode_sentence, episode_steps, fact_sentence, fact_steps
from consilience.resolvers.facts import Fact, load_conflicts, load_facts
from consilience.resolvers.loaders import Key, SeenKey
from consilience.resolvers.memory import Contributor, Episode, Source, Summary
from consilience.resolvers.pages import MAX_FIRST
from consilience.resolvers.seeing import hidden_statuses
from consilience.schema import domain
from consilience.schema.beliefs import StoredFact
from consilience.schema.profiles import StoredSummary


async def explain_fact(info: Info, fact: StoredFact) -> Explanation:
    """Down to the words: the first hundred episodes, then how many more there are."""
    known = await _known(info, fact)
    curator = info.context.curator
    return Explanation(
        memory=Fact.of(fact), sentence=fact_sentence(known, curator=curator), steps=[_step(step) for step in fact_steps(known)]
    )


async def explain_episode(info: Info, episode: domain.Episode) -> Explanation:
    """Who said it and what came of it: the first hundred beliefs."""
    hidden = hidden_statuses(curator=info.context.curator)
    page = await info.context.loaders.beliefs.load(SeenKey(episode.space, MAX_FIRST, None, hidden, episode.id))
    beliefs = await load_facts(info, page.nodes, space=episode.space)
    steps = episode_steps(episode, beliefs=beliefs)
    return Explanation(
        memory=Episode.of(episode), sentence=episode_sentence(episode, beliefs=page.total), steps=[_step(step) for step in steps]
    )


async def explain_summary(info: Info, summary: StoredSummary) -> Explanation:
    """The episodes it quotes."""
    found = await info.context.loaders.episode.load_many([Key(summary.space, id_) for id_ in summary.episodes])
    hidden = hidden_statuses(curator=info.context.curator)
    shown = [one for one in found if one is not None and one.status not in hidden]
    steps = [Step(one.occurred_at, "quoted", one) for one in shown]
    sentence = f"It quotes {len(summary.episodes)} of the session's episodes word for word."
    return Explanation(memory=Summary.of(summary), sentence=sentence, steps=[_step(step) for step in steps])


async def _known(info: Info, fact: StoredFact) -> Known:
    loaders, key = info.context.loaders, Key(fact.space, fact.id)
    hidden = hidden_statuses(curator=info.context.curator)
    page = await loaders.evidence.load(SeenKey(fact.space, MAX_FIRST, None, hidden, fact.id))
    episodes = await loaders.episode.load_many([Key(fact.space, id_) for id_ in page.nodes])
    supersessions = await loaders.supersessions.load(key)
    conflicts = await load_conflicts(info, await loaders.conflicts_of.load(key), space=fact.space)
    sides = {side for one in supersessions for side in (one.winner, one.loser)} | {side for one in conflicts for side in one.sides}
    others = await load_facts(info, sorted(sides - {fact.id}), space=fact.space)
    return Known(
        fact=fact,
        episodes=[one for one in episodes if one is not None],
        further=page.total - len(page.nodes),
        supersessions=sorted(supersessions, key=lambda one: (one.at, one.winner, one.loser)),
        conflicts=conflicts,
        others={one.id: one for one in others},
        decisions=await loaders.decisions.load(Key(fact.space, fact.slot)),
    )


def _step(step: Step) -> ExplanationStep:
    said = step.episode
    return ExplanationStep(
        at=step.at,
        what=step.what,
        episode=None if said is None else Episode.of(said),
        contributor=None if said is None else Contributor.of(said.contributor),
        source=None if said is None else Source.of(said.source),
    )
