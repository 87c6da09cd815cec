"""Which scope each root field needs. One table; a field that is not in it is open to nobody."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

READ: Final = "memory:read"
WRITE: Final = "memory:write"
CURATE: Final = "memory:curate"
ERASE: Final = "memory:erase"
AUDIT: Final = "audit"
ADMIN: Final = "admin"
ALL_SCOPES: Final = frozenset({READ, WRITE, CURATE, ERASE, AUDIT, ADMIN})

SCOPE_OF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Query.recall": READ,
        "Query.memory": READ,
        "Query.contributor": READ,
        "Query.facts": READ,
        "Query.conflicts": READ,
        "Query.why": READ,
        "Query.identity": READ,
        "Query.profile": READ,
        "Query.reviewQueue": CURATE,
        "Query.audit": AUDIT,
        "Query.status": READ,
        "Query.sources": READ,
        "Query.spaces": ADMIN,
        "Query.jobs": ADMIN,
        "Query.job": ADMIN,
        "Mutation.remember": WRITE,
        "Mutation.endSession": WRITE,
        "Mutation.feedback": WRITE,
        "Mutation.pin": CURATE,
        "Mutation.setIdentity": ADMIN,
        "Mutation.review": CURATE,
        "Mutation.resolveConflict": CURATE,
        "Mutation.restoreFact": CURATE,
        "Mutation.registerSource": ADMIN,
        "Mutation.retryJobs": ADMIN,
    }
)
