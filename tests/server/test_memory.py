"""How memory is shared out."""

from pathlib import Path

import pytest

from consilience.server.memory import MemoryPlan, machine_memory_mb, memory_plan


@pytest.mark.parametrize(
    ("total_mb", "plan"),
    [
        (1024, MemoryPlan(512, 128)),
        (4096, MemoryPlan(768, 256)),
        (8192, MemoryPlan(1536, 512)),
        (24576, MemoryPlan(2048, 1024)),
        (262144, MemoryPlan(2048, 1024)),
    ],
)
def test_heap_and_page_cache_grow_with_the_machine_between_bounds(total_mb: int, plan: MemoryPlan) -> None:
    assert memory_plan(total_mb) == plan


def test_a_figure_given_wins() -> None:
    assert memory_plan(4096, heap_mb=3000) == MemoryPlan(3000, 256)
    assert memory_plan(4096, page_cache_mb=64) == MemoryPlan(768, 64)


def test_a_lower_limit_of_the_control_group_or_its_parent_counts(tmp_path: Path) -> None:
    membership = tmp_path / "membership"
    membership.write_text("0::/pod/container\n", encoding="utf-8")
    group = tmp_path / "groups" / "pod" / "container"
    group.mkdir(parents=True)
    whole = machine_memory_mb(cgroups=tmp_path / "none", membership=membership)
    (group / "memory.max").write_text("max\n", encoding="utf-8")
    assert machine_memory_mb(cgroups=tmp_path / "groups", membership=membership) == whole
    (group.parent / "memory.max").write_text(f"{300 * 1024 * 1024}\n", encoding="utf-8")
    assert machine_memory_mb(cgroups=tmp_path / "groups", membership=membership) == 300
