"""What the contract promises and the service does not serve yet: root types and root fields absent from the printed schema.

A test compares: an entry that exists by now fails as much as an absence that is not listed. Later work empties this.
"""

from typing import Final

MISSING: Final[frozenset[str]] = frozenset(
    {
        "Query.context",
        "Query.erasure",
        "Query.playbook",
        "Query.previewErasure",
        "Query.rules",
        "Query.verifyErasure",
        "Mutation.collectGarbage",
        "Mutation.consolidate",
        "Mutation.erase",
        "Mutation.exportMemory",
        "Mutation.forget",
        "Mutation.importMemory",
        "Mutation.recordTrace",
        "Mutation.rectify",
        "Mutation.restrictContributor",
        "Mutation.revive",
        "Mutation.rollbackRules",
        "Subscription",
        "Subscription.changes",
        "Subscription.erasureProgress",
    }
)
