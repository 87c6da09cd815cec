"""What a contributor's past is worth."""

from datetime import timedelta

import pytest

from consilience.trust.reputation import Outcome, reputation
from tests.trust.building import day


def test_a_contributor_without_bad_outcomes_counts_exactly_one() -> None:
    assert reputation([]) == 1.0
    assert reputation([Outcome(f"s{number}", day(number), True) for number in range(9)]) == 1.0


def test_bad_outcomes_lower_it_down_to_a_floor() -> None:
    assert reputation([Outcome("s", day(0), False)]) == pytest.approx(4 / 5)
    assert reputation([Outcome(f"s{number}", day(0), False) for number in range(1000)]) == 0.2


def test_a_slot_counts_once_by_its_newest_outcome() -> None:
    assert reputation([Outcome("s", day(0), False), Outcome("s", day(1), True)]) == 1.0
    assert reputation([Outcome("s", day(1), True), Outcome("s", day(1), False)]) == pytest.approx(4 / 5)


def test_an_outcome_counts_half_when_it_is_a_half_life_older_than_the_newest() -> None:
    old, new = Outcome("a", day(0), False), Outcome("b", day(0) + timedelta(days=180), True)
    assert reputation([old, new]) == pytest.approx(5 / 5.5)
    assert reputation([new, old]) == reputation([old, new])
