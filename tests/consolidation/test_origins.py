"""Groups of copies, as pure functions: who is joined, who is not, what a group is called."""

from datetime import UTC, datetime, timedelta
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from consilience.consolidation.origins import copies, marks, regrouped
from consilience.schema.domain import Role
from consilience.store.digest import Undigested
from consilience.store.origins import Alike, Marked
from consilience.text.fingerprint import similarity

TEXT = "The old grand hotel of Nebelsbad stands above the valley, and its funicular takes the guests up from the spa every single morning."
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def episode(name: str, *, text: str = TEXT, by: str = "", at: datetime = NOON, metadata: tuple[tuple[str, str], ...] = ()) -> Marked:
    return marks(Undigested(name, text, by or name, by or name, by or name, Role.USER, at, metadata=metadata), space="s")


def joined(one: Marked, other: Marked) -> bool:
    found = Alike(
        one.id,
        other.id,
        other.contributor,
        other.occurred_at,
        similarity(one.fingerprint, other.fingerprint),
        frozenset(token for token in other.tokens if token.startswith("d")),
    )
    assert set(one.asked) & set(other.tokens) or not copies([one], [found])
    return bool(copies([one], [found]))


def test_near_duplicates_by_others_within_a_day_are_copies() -> None:
    """C01. Controls: the same person, a whole day between, other words."""
    first = episode("a")
    assert joined(first, episode("b", text=TEXT.upper().replace(".", "!"), at=NOON + timedelta(hours=23)))
    assert joined(first, episode("b", text=TEXT.replace("The old", "The"), at=NOON - timedelta(hours=23)))
    assert not joined(first, episode("b", by="a"))
    assert not joined(first, episode("b", at=NOON + timedelta(days=1)))
    assert not joined(first, episode("b", text="Another hotel stands in the valley below Nebelsbad."))


def test_one_declared_document_joins_whatever_else_differs() -> None:
    """C01, C3. Control: another key of metadata joins nothing."""
    first = episode("a", metadata=(("document", "atlas"),))
    late = NOON + timedelta(days=900)
    assert joined(first, episode("b", text="Quite other words.", by="a", at=late, metadata=(("upstream", "atlas"),)))
    assert not joined(first, episode("b", text="Quite other words.", at=late, metadata=(("chapter", "atlas"),)))


def test_a_group_grows_and_keeps_its_name() -> None:
    """A new copy takes the group's name; two groups joined have one of the two. Control: without a pair nothing changes."""
    held = {"a": "org_1", "b": "org_1", "c": "org_2", "d": "org_2", "e": None}
    assert regrouped([("e", "c")], held) == {"e": "org_2"}
    assert regrouped([("e", "c"), ("e", "a")], held) == {"c": "org_1", "d": "org_1", "e": "org_1"}
    assert regrouped([], held) == {}


def test_made_anew_a_group_falls_apart_without_its_bridge() -> None:
    """E18-like: what one episode joined is apart without it. Control: kept together they stay one."""
    held = {"a": "org_1", "b": "org_1", "c": "org_1", "d": "org_1"}
    anew = regrouped([("a", "b")], held, keep=False)
    assert anew == {"c": None, "d": None}
    assert regrouped([("a", "b")], held) == {}
    two = regrouped([("a", "b"), ("c", "d")], held, keep=False)
    assert set(two) == {"c", "d"}
    assert two["c"] == two["d"] not in {None, "org_1"}


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=6))
def test_the_order_of_pairs_does_not_matter(pairs: list[tuple[str, str]]) -> None:
    """The partition is that of the pairs' components, in any order. Control: as many groups as there are components of two or more."""

    def partition(order: tuple[tuple[str, str], ...]) -> set[frozenset[str]]:
        names = regrouped(order, dict.fromkeys("abcdef"))
        return {frozenset(id_ for id_ in names if names[id_] == name) for name in names.values()}

    wanted = partition(tuple(pairs))
    assert all(partition(order) == wanted for order in list(permutations(pairs))[:20])
    assert {id_ for group in wanted for id_ in group} == {id_ for pair in pairs if pair[0] != pair[1] for id_ in pair}
