"""A small asynchronous client of the service's public GraphQL API. It knows the contract and nothing of the service's inside."""

from consilience.client.answers import Found, FoundHit, FoundMemory, Reference, Speaker, Stored, StoredEpisode, Through
from consilience.client.batches import in_batches
from consilience.client.calls import Client
from consilience.client.transport import Refused

__all__ = [
    "Client",
    "Found",
    "FoundHit",
    "FoundMemory",
    "Reference",
    "Refused",
    "Speaker",
    "Stored",
    "StoredEpisode",
    "Through",
    "in_batches",
]
