"""The schema: every type of the contract, the root fields that are built, the limits and the one way errors leave."""

import strawberry
from graphql import GraphQLError
from strawberry.annotation import StrawberryAnnotation
from strawberry.extensions import DisableIntrospection, SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext

from consilience.resolvers import answers, beliefs, erasure, inputs
from consilience.resolvers.limits import RequestLimits
from consilience.resolvers.mutations import Mutation
from consilience.resolvers.problems import RefusalHandler, published
from consilience.resolvers.queries import Query
from consilience.resolvers.scalars import SCALARS
from consilience.resolvers.unions import UNIONS

# Types of the contract that no field built so far leads to.
_AHEAD = (
    answers.Context,
    beliefs.Lesson,
    beliefs.RuleConnection,
    erasure.ChangeEvent,
    erasure.ErasureCheck,
    erasure.ErasurePreview,
    inputs.ContextInput,
    inputs.EraseInput,
    inputs.TraceInput,
)


class EdgeSchema(strawberry.Schema):
    """Strawberry's schema with our way of publishing errors."""

    def process_errors(self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None) -> None:
        """Replaces each error, in place, by what the caller may know; the default would log the query with its literals."""
        document = execution_context.graphql_document if execution_context else None
        errors[:] = [published(error, document=document) for error in errors]


def build_schema(*, introspection: bool) -> strawberry.Schema:
    """The schema the service answers with. Introspection is for loopback and for tools: elsewhere it is off."""
    extensions: list[type[SchemaExtension]] = [RequestLimits]
    if not introspection:
        extensions.append(DisableIntrospection)
    return EdgeSchema(
        query=Query,
        mutation=Mutation,
        types=[*_AHEAD, *(StrawberryAnnotation(union).resolve() for union in UNIONS)],
        extensions=extensions,
        exception_handlers=[RefusalHandler()],
        config=StrawberryConfig(scalar_map=dict(SCALARS), disable_field_suggestions=True),
    )
