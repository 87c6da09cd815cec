"""Text composed for reading, and the way back."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from consilience.text.composed import composed


def test_decomposed_letters_are_composed_and_invisible_ones_left_out() -> None:
    """A15, A17. Control: plain text is as it was, and a joiner that shapes letters stays."""
    assert composed("Zoe\u0308 w\u200borks").text == "Zoë works"
    assert composed("Zoë works").text == "Zoë works"
    assert composed("\u1112\u1161\u11ab").text == "한"
    assert composed("می\u200cخواهم").text == "می\u200cخواهم"


def test_a_span_of_it_is_the_span_of_what_was_given() -> None:
    given_text = "I met Zoe\u0308 and A\u200bna."
    read = composed(given_text)
    for name, wanted in (("Zoë", "Zoe\u0308"), ("Ana", "A\u200bna")):
        start = read.text.index(name)
        first, last = read.span(start, start + len(name))
        assert given_text[first:last] == wanted


@given(st.text(max_size=60))
def test_it_is_nfc_and_spans_stay_in_order(text: str) -> None:
    """For any text. Control: nothing visible is lost."""
    read = composed(text)
    kept = "".join(character for character in text if character not in "\u00ad\u200b\u2060\ufeff")
    assert unicodedata.normalize("NFC", read.text) == unicodedata.normalize("NFC", kept)
    assert len(read.starts) == len(read.text) + 1
    assert list(read.starts) == sorted(read.starts)
