"""What can go wrong, and what its reader should do. Codes are public and stable (docs/reference/errors.md).

ConsilienceError
|- Refusal            the caller asked for something we will not do; becomes a `Problem`, exit status 3
|  |- InvalidInput, TooLarge, ExternalIdConflict, NotHere, Forbidden, RateLimited ...
|- StoreUnavailable   Neo4j did not answer; nothing was acknowledged; exit status 4
|- CannotStart        this machine or its configuration is not ready; exit status 5
"""

from typing import ClassVar


class ConsilienceError(Exception):
    """Root of all errors raised on purpose.

    `message` says what was wrong and where, `hint` what to do about it, `field` which input it is about.
    None of them ever quotes what a person said: ids, sizes and field names only.
    """

    code: ClassVar[str] = "INTERNAL"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.field = field


class Refusal(ConsilienceError):
    """An expected refusal: nothing was changed."""

    code = "REFUSED"
    exit_status = 3


class InvalidInput(Refusal):
    """The input cannot be read as what it should be."""

    code = "INVALID_INPUT"


class TooLarge(Refusal):
    """The input is over a limit."""

    code = "TOO_LARGE"


class ExternalIdConflict(Refusal):
    """The same externalId came with another text, contributor, role, source, session or time (I5)."""

    code = "EXTERNAL_ID_CONFLICT"


class NotHere(Refusal):
    """Nothing with this id in this space, or not yours."""

    code = "NOT_HERE"


class Forbidden(Refusal):
    """The principal lacks the scope this needs."""

    code = "FORBIDDEN"


class SourceConflict(Refusal):
    """A source with this key is registered with another channel."""

    code = "SOURCE_CONFLICT"


class StillSettling(Refusal):
    """Everything is stored; digesting it takes longer than the call waits."""

    code = "STILL_SETTLING"


class NotYet(Refusal):
    """In the contract, not built yet: named in schema/missing.py."""

    code = "NOT_YET"


class StoreUnavailable(ConsilienceError):
    """Neo4j did not answer in time. Nothing was acknowledged; the call can be repeated."""

    code = "STORE_UNAVAILABLE"
    exit_status = 4


class ServiceUnavailable(ConsilienceError):
    """No running service answers at the address given."""

    code = "SERVICE_UNAVAILABLE"
    exit_status = 4


class CannotStart(ConsilienceError):
    """This machine, its data folder or its configuration does not allow a start; the message says what to do."""

    code = "CANNOT_START"
    exit_status = 5
