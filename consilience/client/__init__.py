"""A small asynchronous client of the service's public GraphQL API. It knows the contract and nothing of the service's inside."""

from consilience.client.answers import Found, FoundHit, FoundMemory, Reference, Speaker, Stored, StoredEpisode, Through
from consilience.client.batches import in_batches
from consilience.client.beliefs import Changed, ConflictPage, Explained, FactPage, FoundConflict, FoundFact, FoundSide, ReviewPage
from consilience.client.calls import Client
from consilience.client.profiles import Ended, FoundIdentity, FoundProfile
from consilience.client.transport import Refused

__all__ = [
    "Changed",
    "Client",
    "ConflictPage",
    "Ended",
    "Explained",
    "FactPage",
    "Found",
    "FoundConflict",
    "FoundFact",
    "FoundHit",
    "FoundIdentity",
    "FoundMemory",
    "FoundProfile",
    "FoundSide",
    "Reference",
    "Refused",
    "ReviewPage",
    "Speaker",
    "Stored",
    "StoredEpisode",
    "Through",
    "in_batches",
]
