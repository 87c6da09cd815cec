"""How much memory the managed server gets. The rule is pure; reading the machine's size is beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from consilience.config import Settings

MIB: Final = 1024 * 1024
_CGROUPS: Final = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """Heap and page cache of the server, MiB."""

    heap_mb: int
    page_cache_mb: int


def memory_plan(total_mb: int, *, heap_mb: int | None = None, page_cache_mb: int | None = None) -> MemoryPlan:
    """Shares of a machine with `total_mb` MiB: 3/16 for the heap (512 to 2048), 1/16 for the page cache (128 to 1024).

    The heap holds queries and the projections GDS works on; 2 GiB carry a projection of 100,000 nodes. The rest is left to the
    service, to Lucene (which works in the file cache) and to everything else on the machine. A figure given wins.
    """
    heap = min(2048, max(512, total_mb * 3 // 16))
    cache = min(1024, max(128, total_mb // 16))
    return MemoryPlan(heap if heap_mb is None else heap_mb, cache if page_cache_mb is None else page_cache_mb)


def machine_memory_mb(*, cgroups: Path = _CGROUPS, membership: Path = Path("/proc/self/cgroup")) -> int:
    """Memory this process may use, MiB: the machine's, or a lower limit of its control group (containers)."""
    machine = int(psutil.virtual_memory().total)
    limits = [int(text) for path in _limit_files(cgroups, membership) if (text := _read(path)).isdecimal()]
    return min([machine, *(limit for limit in limits if limit > 0)]) // MIB


def planned_memory(settings: Settings) -> MemoryPlan:
    """The plan for this machine, with the settings' own figures."""
    return memory_plan(machine_memory_mb(), heap_mb=settings.heap_mb, page_cache_mb=settings.page_cache_mb)


def _limit_files(cgroups: Path, membership: Path) -> list[Path]:
    """Limits that can apply: our group's and its parents' (version 2), and the one of version 1."""
    files = [cgroups / "memory.max", cgroups / "memory" / "memory.limit_in_bytes"]
    for line in _read(membership).splitlines():
        if line.startswith("0::/"):
            group = Path(line.removeprefix("0::/"))
            files += [cgroups / part / "memory.max" for part in (group, *group.parents)]
    return files


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
