"""Intervals of shares and means."""

import math

import pytest

from bench.measures import bootstrap, share, wilson


def test_the_wilson_interval_is_the_published_one() -> None:
    # 81 of 263, Newcombe 1998, table I: 0.2553 to 0.3662.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-4)


def test_no_cases_have_no_interval() -> None:
    assert all(math.isnan(end) for end in (*wilson(0, 0), *bootstrap([], seed=1)))


def test_a_bootstrap_interval_holds_the_mean_and_repeats_with_its_seed() -> None:
    values = [0.0, 0.2, 0.4, 1.0] * 10
    low, high = bootstrap(values, seed=3)
    assert low < 0.4 < high
    assert (low, high) == bootstrap(values, seed=3)


def test_a_share_is_in_percent_between_its_ends() -> None:
    found = share([True, True, False, False], name="x")
    assert found["x"] == 50.0
    assert 0.0 < found["x_low"] < 50.0 < found["x_high"] < 100.0
