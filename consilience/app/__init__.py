"""The service put together: what `consilience serve`, `worker` and `doctor` run."""

from consilience.app.doctor import doctor
from consilience.app.maintenance import rebuild_space, reembed_space
from consilience.app.serve import run_worker, serve

__all__ = ["doctor", "rebuild_space", "reembed_space", "run_worker", "serve"]
