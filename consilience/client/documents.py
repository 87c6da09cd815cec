"""The GraphQL documents this client sends, one constant each. A test validates them against the schema the service serves."""

from typing import Final

# The fields shown of any memory, and those only an episode has.
_MEMORY: Final = """
fragment MemoryParts on Memory {
  id kind space text status confidence trust recordedAt validFrom validTo
  ... on Episode {
    externalId role occurredAt
    contributor { externalId name }
    source { id key channel trust }
    session { externalId }
  }
}
"""

_PROBLEM: Final = "... on Problem { code message hint field }"

REMEMBER: Final = f"""
mutation Remember($input: RememberInput!) {{
  remember(input: $input) {{
    __typename
    ... on Remembered {{ episodes {{ id externalId }} duplicates quarantined }}
    {_PROBLEM}
  }}
}}
"""

RECALL: Final = (
    """
query Recall($input: RecallInput!) {
  recall(input: $input) {
    hits { rank score parts { meaning words recency confidence } suspect memory { ...MemoryParts } }
    cut { belowFloor quarantined }
    tookMs
  }
}
"""
    + _MEMORY
)

MEMORY: Final = (
    """
query Memory($space: String!, $id: ID!) {
  memory(space: $space, id: $id) { ...MemoryParts }
}
"""
    + _MEMORY
)

STATUS: Final = """
query Status {
  status { version neo4j gds embedder llm pendingJobs parkedJobs deadJobs healthy }
}
"""

SOURCES: Final = """
query Sources($space: String!) {
  sources(space: $space) { id key channel trust }
}
"""

REGISTER_SOURCE: Final = f"""
mutation RegisterSource($space: String!, $key: String!, $channel: String!, $trust: Float) {{
  registerSource(space: $space, key: $key, channel: $channel, trust: $trust) {{
    __typename
    ... on Source {{ id key channel trust }}
    {_PROBLEM}
  }}
}}
"""

JOBS: Final = """
query Jobs($space: String, $state: JobState, $first: Int!) {
  jobs(space: $space, state: $state, first: $first) { id space kind state done total attempts error }
}
"""

RETRY_JOBS: Final = """
mutation RetryJobs($space: String) {
  retryJobs(space: $space)
}
"""

_FACT: Final = """
fragment FactParts on Fact {
  id text status confidence trust recordedAt validFrom validTo predicate value negated suspect
  subject { id name }
  support { ...SupportParts }
}
fragment SupportParts on Support { events origins contributors needed firstAt lastAt }
"""
_PAGE: Final = "pageInfo { hasNextPage endCursor } totalCount"

FACTS: Final = (
    f"""
query Facts(
  $space: String!, $subject: String, $predicate: String, $status: Status, $contributor: String, $first: Int!, $after: Cursor
) {{
  facts(
    space: $space, subject: $subject, predicate: $predicate, status: $status, contributor: $contributor, first: $first, after: $after
  ) {{ nodes {{ ...FactParts }} {_PAGE} }}
}}
"""
    + _FACT
)

CONFLICTS: Final = (
    f"""
query Conflicts($space: String!, $state: ConflictState, $about: String, $first: Int!, $after: Cursor) {{
  conflicts(space: $space, state: $state, about: $about, first: $first, after: $after) {{
    nodes {{
      id predicate state openedAt decidedBy
      subject {{ id name }}
      sides {{ fact {{ ...FactParts }} reliability freshness consistency support {{ ...SupportParts }} }}
      grounds {{ summary reliability freshness consistency decidedBy }}
    }}
    {_PAGE}
  }}
}}
"""
    + _FACT
)

WHY: Final = (
    """
query Why($space: String!, $id: ID!) {
  why(space: $space, id: $id) {
    sentence
    memory { ...MemoryParts }
    steps { at what episode { id text } contributor { externalId name } source { id key channel trust } }
  }
}
"""
    + _MEMORY
)

REVIEW_QUEUE: Final = (
    f"""
query ReviewQueue($space: String!, $first: Int!, $after: Cursor) {{
  reviewQueue(space: $space, first: $first, after: $after) {{
    nodes {{ id reason openedAt memory {{ ...MemoryParts }} support {{ events origins contributors needed firstAt lastAt }} }}
    {_PAGE}
  }}
}}
"""
    + _MEMORY
)

_UPDATED: Final = f"__typename ... on Updated {{ memories {{ ...MemoryParts }} }} {_PROBLEM}"

REVIEW: Final = (
    f"""
mutation Review($space: String!, $item: ID!, $decision: ReviewDecision!, $note: String) {{
  review(space: $space, item: $item, decision: $decision, note: $note) {{ {_UPDATED} }}
}}
"""
    + _MEMORY
)

RESOLVE_CONFLICT: Final = (
    f"""
mutation ResolveConflict($space: String!, $conflict: ID!, $winner: ID!, $note: String) {{
  resolveConflict(space: $space, conflict: $conflict, winner: $winner, note: $note) {{ {_UPDATED} }}
}}
"""
    + _MEMORY
)

RESTORE_FACT: Final = (
    f"""
mutation RestoreFact($space: String!, $fact: ID!, $note: String) {{
  restoreFact(space: $space, fact: $fact, note: $note) {{ {_UPDATED} }}
}}
"""
    + _MEMORY
)

_IDENTITY: Final = "agent name role traits hardRules introduction isProgram"

IDENTITY: Final = f"""
query Identity($space: String!, $agent: String!) {{
  identity(space: $space, agent: $agent) {{ {_IDENTITY} }}
}}
"""

SET_IDENTITY: Final = f"""
mutation SetIdentity($input: IdentityInput!) {{
  setIdentity(input: $input) {{ __typename ... on Identity {{ {_IDENTITY} }} {_PROBLEM} }}
}}
"""

PROFILE: Final = (
    """
query Profile($space: String!, $contributor: String!) {
  profile(space: $space, contributor: $contributor) {
    contributor { externalId name }
    formOfAddress stage
    preferences { ...FactParts }
    observing { ...FactParts }
  }
}
"""
    + _FACT
)

END_SESSION: Final = (
    f"""
mutation EndSession($space: String!, $session: String!) {{
  endSession(space: $space, session: $session) {{
    __typename
    ... on SessionEnded {{
      session {{ externalId startedAt endedAt }}
      summary {{ ...MemoryParts }}
      facts {{ ...FactParts }}
      todos events
    }}
    {_PROBLEM}
  }}
}}
"""
    + _MEMORY
    + _FACT
)

FEEDBACK: Final = (
    f"""
mutation Feedback($input: FeedbackInput!) {{
  feedback(input: $input) {{ {_UPDATED} }}
}}
"""
    + _MEMORY
)

PIN: Final = (
    f"""
mutation Pin($space: String!, $id: ID!, $pinned: Boolean!) {{
  pin(space: $space, id: $id, pinned: $pinned) {{ {_UPDATED} }}
}}
"""
    + _MEMORY
)
