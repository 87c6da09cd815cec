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
