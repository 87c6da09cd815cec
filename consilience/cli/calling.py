"""The client of the commands: retries are silent, since stdout belongs to the command's answer."""

import stamina

from consilience.client import Client


def client_of(url: str) -> Client:
    """A client of this service."""
    stamina.instrumentation.set_on_retry_hooks([])
    return Client(url)
