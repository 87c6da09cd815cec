"""The labels of the graph, their properties and edges, declared once with neomodel (design §2).

neomodel serves vocabulary and start-up checks; hot paths are Cypher constants in consilience/store.
`FulltextFilter` and `VectorFilter` are off limits (injectable; vector inlined as text). Property names are the stored ones.
"""

# neomodel publishes no types for its properties.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUntypedBaseClass=false

from typing import Final

from neomodel import (
    ArrayProperty,
    AsyncRelationshipTo,
    AsyncStructuredNode,
    BooleanProperty,
    DateTimeNeo4jFormatProperty,
    FloatProperty,
    IntegerProperty,
    StringProperty,
)


class SpaceNode(AsyncStructuredNode):
    """What every node of a space carries. `id` is ours; neomodel keeps that name for itself, hence `uid`."""

    __abstract_node__ = True
    space = StringProperty(required=True)
    uid = StringProperty(required=True, db_property="id")
    recordedAt = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815


class Contributor(SpaceNode):
    externalId = StringProperty(required=True)  # noqa: N815
    name = StringProperty()
    state = StringProperty(required=True)
    epoch = IntegerProperty(required=True)


class Source(SpaceNode):
    key = StringProperty(required=True)
    channel = StringProperty(required=True)
    trust = FloatProperty(required=True)


class Session(SpaceNode):
    externalId = StringProperty(required=True)  # noqa: N815
    startedAt = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    endedAt = DateTimeNeo4jFormatProperty()  # noqa: N815
    length = IntegerProperty(required=True)


class Episode(SpaceNode):
    kind = StringProperty(required=True)
    text = StringProperty(required=True)
    role = StringProperty(required=True)
    status = StringProperty(required=True)
    confidence = FloatProperty(required=True)
    trust = FloatProperty(required=True)
    occurredAt = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    contributor = StringProperty(required=True)
    session = StringProperty(required=True)  # "" without one: index filters need no null checks
    position = IntegerProperty(required=True)
    externalId = StringProperty()  # noqa: N815
    bodyKey = StringProperty(required=True)  # noqa: N815
    metadata = ArrayProperty(StringProperty())
    digestedAt = DateTimeNeo4jFormatProperty()  # noqa: N815
    words = StringProperty()
    fingerprint = ArrayProperty(IntegerProperty())
    prints = StringProperty()  # tokens by which copies are found
    embedding = ArrayProperty(FloatProperty())
    by = AsyncRelationshipTo("Contributor", "BY")
    via = AsyncRelationshipTo("Source", "FROM")
    within = AsyncRelationshipTo("Session", "IN")
    next = AsyncRelationshipTo("Episode", "NEXT")
    says = AsyncRelationshipTo("Statement", "SAYS")
    of = AsyncRelationshipTo("Origin", "OF")


class Origin(SpaceNode):
    """A group of copies: its members, and nothing else, say what it is."""


class Entity(SpaceNode):
    name = StringProperty(required=True)
    kind = StringProperty(required=True)


class Name(AsyncStructuredNode):
    space = StringProperty(required=True)
    key = StringProperty(required=True)
    names = AsyncRelationshipTo("Entity", "NAMES")


class Slot(SpaceNode):
    subject = StringProperty(required=True)
    predicate = StringProperty(required=True)
    version = IntegerProperty(required=True)
    about = AsyncRelationshipTo("Entity", "ABOUT")


class Statement(SpaceNode):
    predicate = StringProperty(required=True)
    value = StringProperty(required=True)
    valueKey = StringProperty(required=True)  # noqa: N815
    words = StringProperty(required=True)
    kind = StringProperty(required=True)
    arity = StringProperty(required=True)
    at = DateTimeNeo4jFormatProperty(required=True)
    validFrom = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    validTo = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    confidence = FloatProperty(required=True)
    extractor = StringProperty(required=True)
    votes = AsyncRelationshipTo("Slot", "IN_SLOT")


class Fact(SpaceNode):
    slot = StringProperty(required=True)
    key = StringProperty(required=True)
    subject = StringProperty(required=True)
    predicate = StringProperty(required=True)
    value = StringProperty(required=True)
    text = StringProperty(required=True)
    status = StringProperty(required=True)
    confidence = FloatProperty(required=True)
    trust = FloatProperty(required=True)
    validFrom = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    validTo = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    settled = StringProperty(required=True)
    supported = AsyncRelationshipTo("Episode", "SUPPORTED_BY")
    supersedes = AsyncRelationshipTo("Fact", "SUPERSEDES")
    within = AsyncRelationshipTo("Slot", "IN_SLOT")


class Conflict(SpaceNode):
    state = StringProperty(required=True)
    predicate = StringProperty(required=True)
    sides = AsyncRelationshipTo("Fact", "SIDE")
    within = AsyncRelationshipTo("Slot", "IN_SLOT")


class Decision(SpaceNode):
    slot = StringProperty(required=True)
    kind = StringProperty(required=True)
    valueKey = StringProperty(required=True)  # noqa: N815
    actor = StringProperty(required=True)
    on = AsyncRelationshipTo("Slot", "ON")


class Identity(SpaceNode):
    agent = StringProperty(required=True)
    name = StringProperty(required=True)
    role = StringProperty(required=True)
    traits = ArrayProperty(StringProperty(), required=True)
    hardRules = ArrayProperty(StringProperty(), required=True)  # noqa: N815
    introduction = StringProperty(required=True)
    isProgram = BooleanProperty(required=True)  # noqa: N815


class Use(SpaceNode):
    memories = ArrayProperty(StringProperty(), required=True)
    outcome = StringProperty(required=True)
    actor = StringProperty(required=True)
    used = AsyncRelationshipTo("Fact", "USED")  # or an Episode, or a Summary


class Summary(SpaceNode):
    kind = StringProperty(required=True)
    session = StringProperty(required=True)
    text = StringProperty(required=True)
    status = StringProperty(required=True)
    confidence = FloatProperty(required=True)
    trust = FloatProperty(required=True)
    episodes = IntegerProperty(required=True)
    supported = AsyncRelationshipTo("Episode", "SUPPORTED_BY")
    sums_up = AsyncRelationshipTo("Session", "SUMS_UP")


class Job(SpaceNode):
    kind = StringProperty(required=True)
    state = StringProperty(required=True)
    ids = ArrayProperty(StringProperty(), required=True)
    done = IntegerProperty(required=True)
    total = IntegerProperty(required=True)
    attempts = IntegerProperty(required=True)
    notBefore = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815
    leaseUntil = DateTimeNeo4jFormatProperty()  # noqa: N815
    worker = StringProperty()
    error = StringProperty()


class AuditEvent(SpaceNode):
    seq = IntegerProperty(required=True)
    actor = StringProperty(required=True)
    action = StringProperty(required=True)
    target = StringProperty()
    reason = StringProperty(required=True)
    confidenceBefore = FloatProperty()  # noqa: N815
    confidenceAfter = FloatProperty()  # noqa: N815
    hash = StringProperty(required=True)


class AuditHead(AsyncStructuredNode):
    space = StringProperty(required=True)
    seq = IntegerProperty(required=True)
    hash = StringProperty(required=True)


class Space(AsyncStructuredNode):
    name = StringProperty(required=True)
    uid = StringProperty(required=True, db_property="id")
    embedder = StringProperty(required=True)
    dimensions = IntegerProperty(required=True)
    recordedAt = DateTimeNeo4jFormatProperty(required=True)  # noqa: N815


class SchemaVersion(AsyncStructuredNode):
    version = IntegerProperty(required=True)
    name = StringProperty(required=True)


_NODES: Final = (
    Contributor,
    Source,
    Session,
    Origin,
    Episode,
    Entity,
    Name,
    Slot,
    Statement,
    Fact,
    Conflict,
    Decision,
    Identity,
    Use,
    Summary,
    Job,
    AuditEvent,
    AuditHead,
    Space,
    SchemaVersion,
)
_KINDS: Final[dict[object, str]] = {
    StringProperty: "STRING",
    IntegerProperty: "INTEGER",
    FloatProperty: "FLOAT",
    BooleanProperty: "BOOLEAN",
    DateTimeNeo4jFormatProperty: "ZONED DATETIME",
    ArrayProperty: "LIST",
}


def declared() -> dict[str, dict[str, str]]:
    """Label -> stored name of each required property -> how its Cypher type begins (`STRING`, `ZONED DATETIME`, ...)."""
    return {
        node.__name__: {
            prop.db_property or name: _KINDS[type(prop)]
            for name, prop in node.defined_properties(aliases=False, rels=False).items()
            if getattr(prop, "required", False)
        }
        for node in _NODES
    }
