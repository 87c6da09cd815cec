"""LOCAL STUB, never committed."""
from datetime import datetime
from consilience.schema.beliefs import Settlement, SlotEvidence
def settle(evidence: SlotEvidence, *, now: datetime) -> Settlement:
    raise NotImplementedError
