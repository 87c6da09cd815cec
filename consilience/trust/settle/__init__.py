"""Settling a slot: evidence in, belief out, as one pure function (design §4).

    settle(evidence, now=...) -> Settlement      support(votes, needed=...) -> Support

Where things are decided, in the order of decision:
    rulings    what people decided (1)                  gate       the write gate S51 (2)
    slot       groups that can contradict (3)           runs       the timeline, marked changes (4, 5), succession by time
    admission  what waits for support (S11, S12, S20)   contest    standing, margin, disputes (4, 6)
    voices     independence and support                 measures   trust, reliability, freshness, standing
    layout     votes sorted into runs                   facts      statuses, intervals, words

Reason codes of a SettledFact (empty while ACTIVE):
    SUPERSEDED   TIME (its speakers said otherwise later), CHANGE (a marked change), SUBJECT, STANDING, DECISION (a person),
                 ENDED (its own interval is over; nothing replaced it)
    TO_VERIFY    DISPUTED (equal standing), OUTWEIGHED (newer, but lost)
    CANDIDATE    HEDGED, VAGUE, OUTBURST (too weak alone), COSTLY, PROCEDURE, INSTRUCTION, PATTERN (need support or a CONFIRM)
    QUARANTINED  CONTRADICTS_TRUSTED (S51), REJECTED_BEFORE
    RETRACTED    REJECTED
"""

from consilience.trust.settle.slot import settle
from consilience.trust.settle.voices import support

__all__ = ["settle", "support"]
