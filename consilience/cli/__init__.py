"""The command line. `main` is the entry of the script `consilience`.

Everything heavy (the service, HTTP, settings) is imported by the command that needs it, so that help comes at once.
"""


def main() -> int:
    """Runs one command; its exit status (docs/guides/command-line.md)."""
    from consilience.cli.app import run

    return run()
