"""What the contract promises and the service does not serve yet: root types and root fields absent from the printed schema.

A test compares: an entry that exists by now fails as much as an absence that is not listed. Later work empties this.
"""

from typing import Final

MISSING: Final[frozenset[str]] = frozenset(
    {
        "Query.context",
        "Query.erasure",
        "Query.identity",
        "Query.playbook",
        "Query.previewErasure",
        "Query.profile",
        "Query.rules",
        "Query.verifyErasure",
        "Mutation.collectGarbage",
        "Mutation.consolidate",
        "Mutation.endSession",
        "Mutation.erase",
        "Mutation.exportMemory",
        "Mutation.feedback",
        "Mutation.forget",
        "Mutation.importMemory",
        "Mutation.pin",
        "Mutation.recordTrace",
        "Mutation.rectify",
        "Mutation.restrictContributor",
        "Mutation.revive",
        "Mutation.rollbackRules",
        "Mutation.setIdentity",
        "Subscription",
        "Subscription.changes",
        "Subscription.erasureProgress",
    }
)
