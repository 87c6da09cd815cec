"""What of a memory is embedded. Pure."""


def spoken(speaker: str, text: str) -> str:
    """A turn or a fact means more with the name of its speaker or subject before it (retrieval.md)."""
    return f"{speaker}: {text}"
