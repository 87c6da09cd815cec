"""English sentences say what they say: subject, predicate, value."""

import pytest

from consilience.schema.domain import Role
from consilience.schema.statements import Arity, StatementKind, SubjectKind, SubjectRef
from tests.ingest.extraction.said import names, only, said, short, shorts

ME = "SPEAKER"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Lyon and work at Acme.", [(ME, "lives_in", "Lyon"), (ME, "works_at", "Acme")]),
        ("I work as a designer at Acme in Berlin.", [(ME, "occupation", "designer"), (ME, "works_at", "Acme"), (ME, "works_in", "Berlin")]),
        ("Ana is a software engineer at Acme.", [("Ana", "is_a", "software engineer"), ("Ana", "works_at", "Acme")]),
        ("I like green tea and coffee.", [(ME, "likes", "green tea"), (ME, "likes", "coffee")]),
        ("I don't like tea.", [(ME, "likes", "-tea")]),
        ("Bob hates spinach.", [("Bob", "likes", "-spinach")]),
        ("We love hiking, but my wife hates it.", [(ME, "likes", "hiking"), (f"{ME}>spouse", "likes", "-hiking")]),
        ("I prefer trains to planes.", [(ME, "prefers", "trains to planes")]),
        ("I have a dog named Rex.", [(ME, "has_pet", "Rex"), ("Rex", "is_a", "dog")]),
        ("My mother's name is Mary.", [(ME, "has_mother", "Mary")]),
        ("My sister Mary lives in Boston.", [(ME, "has_sister", "Mary"), ("Mary", "lives_in", "Boston")]),
        ("My sister is a doctor.", [(f"{ME}>has_sister", "is_a", "doctor")]),
        ("I'm 30 years old.", [(ME, "age", "30")]),
        ("I'm allergic to peanuts and shellfish.", [(ME, "allergic_to", "peanuts"), (ME, "allergic_to", "shellfish")]),
        ("Alice isn't allergic to peanuts.", [("Alice", "allergic_to", "-peanuts")]),
        ("The dose of melatonin is 3 mg.", [("melatonin", "dose", "3 mg")]),
        ("My budget is $500 a month.", [(ME, "budget_limit", "$500 a month")]),
        ("I have a deadline of April 15 to finish the report.", [(ME, "deadline", "2026-04-15")]),
        ("The deadline was moved to June 3.", [("deadline", "deadline", "2026-06-03")]),
        ("The purchase status is shipped.", [("purchase status", "purchase_status", "shipped")]),
        ("My wife and I moved to Rome.", [(f"{ME}>spouse", "lives_in", "Rome"), (ME, "lives_in", "Rome")]),
        ("The meeting is on Friday.", [("meeting", "scheduled_on", "2026-05-15")]),
        ("The price of the ticket is 40 euros.", [("ticket", "price", "40 euros")]),
        ("My phone number is 555-1234.", [(ME, "phone", "555-1234")]),
        ("Ana's code is CANARY-7.", [("Ana", "code", "CANARY-7")]),
        ("I've been using Postgres 16 and Redis.", [(ME, "uses", "Postgres 16"), (ME, "uses", "Redis")]),
        ("I stopped drinking coffee.", [(ME, "drinks", "-coffee")]),
        ("I have never written any Rust code.", [(ME, "writes", "-Rust code")]),
        ("The average response time of the search API is 250ms.", [("search API", "average_response_time", "250ms")]),
        ("The number of commits has grown to 165.", [("commits", "count", "165")]),
    ],
)
def test_a_sentence_gives_its_statements(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert shorts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The capital of Norway is Oslo.", ("Norway", "capital", "Oslo")),
        ("Oslo is the capital of Norway.", ("Norway", "capital", "Oslo")),
        ("Norway's capital is Oslo.", ("Norway", "capital", "Oslo")),
        ("Hamlet was written by William Shakespeare.", ("Hamlet", "author", "William Shakespeare")),
        ("William Shakespeare wrote Hamlet.", ("Hamlet", "author", "William Shakespeare")),
        ("The author of Hamlet is William Shakespeare.", ("Hamlet", "author", "William Shakespeare")),
        ("Bob is the CEO of Acme.", ("Acme", "ceo", "Bob")),
        ("The chief executive officer of Acme is Bob.", ("Acme", "ceo", "Bob")),
        ("Acme was founded by Ana Lee in 1990.", ("Acme", "founder", "Ana Lee")),
        ("Acme's headquarters are located in the city of Graz.", ("Acme", "headquarters", "Graz")),
        ("Rita was born in the town of Lund.", ("Rita", "birth_place", "Lund")),
        ("Rita was born on 12 May 1990.", ("Rita", "born_on", "1990-05-12")),
        ("Rita works in the field of botany.", ("Rita", "field", "botany")),
        ("Rita is a citizen of Chile.", ("Rita", "citizenship", "Chile")),
        ("Rita speaks Basque.", ("Rita", "speaks", "Basque")),
        ("Gone with the Wind was directed by Victor Fleming.", ("Gone with the Wind", "director", "Victor Fleming")),
        ("The company that made the Zorg 5 is Acme.", ("Zorg 5", "creator", "Acme")),
        ("The city where Rita lives is Lund.", ("Rita", "lives_in", "Lund")),
        ("The music that Rita plays is fado.", ("Rita", "plays_music", "fado")),
        ("Rita administers the mail server.", ("Rita", "administers", "mail server")),
    ],
)
def test_a_general_fact_is_the_same_however_it_is_built(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in shorts(text)


@pytest.mark.parametrize(
    ("text", "kind", "predicate"),
    [
        ("I like tea.", StatementKind.PREFERENCE, "likes"),
        ("I need to buy milk tomorrow.", StatementKind.TODO, "todo"),
        ("Remind me to call Bob.", StatementKind.TODO, "todo"),
        ("Always run the tests before a release.", StatementKind.RULE, "rule"),
        ("When the tests fail, run them again.", StatementKind.RULE, "rule"),
        ("Invoices must be paid within 30 days.", StatementKind.RULE, "rule"),
        ("To deploy, run make, then push.", StatementKind.PROCEDURE, "procedure"),
        ("I met Bob yesterday.", StatementKind.EVENT, "met"),
        ("My name is Ana.", StatementKind.IDENTITY, "name"),
        ("Call me Al.", StatementKind.IDENTITY, "form_of_address"),
        ("I hate everything today!!!", StatementKind.OUTBURST, "states"),
        ("Ana works at Acme.", StatementKind.FACT, "works_at"),
    ],
)
def test_a_statement_has_its_kind(text: str, kind: StatementKind, predicate: str) -> None:
    draft = only(text)
    assert (draft.kind, draft.predicate) == (kind, predicate)


def test_a_calm_dislike_is_no_outburst() -> None:
    assert only("I hate spinach.").kind is StatementKind.PREFERENCE


def test_first_and_second_person_are_the_speaker_and_the_addressee() -> None:
    assert only("I live in Lyon.").subject.kind is SubjectKind.SPEAKER
    assert said("You live in Lyon.", addressee="Bob")[0].subject.kind is SubjectKind.ADDRESSEE
    assert only("You are a helpful assistant.").subject.kind is SubjectKind.AGENT
    assert only("I live in Lyon.", role=Role.ASSISTANT).subject.kind is SubjectKind.AGENT
    assert only("You live in Lyon.", role=Role.ASSISTANT).subject.kind is SubjectKind.ADDRESSEE


def test_the_speaker_can_be_the_value() -> None:
    draft = only("I am the CEO of Acme.")
    assert short(draft) == ("Acme", "ceo", "Alice")
    assert draft.value_ref == SubjectRef(SubjectKind.SPEAKER)


def test_pronouns_go_to_the_last_name_that_fits() -> None:
    recent = names("Mary met Bob.")
    assert shorts("She lives in Lyon.", recent=recent) == [("Mary", "lives_in", "Lyon")]
    assert shorts("He lives in Lyon.", recent=recent) == [("Bob", "lives_in", "Lyon")]
    assert shorts("Mary called. She lives in Rome.")[-1] == ("Mary", "lives_in", "Rome")
    assert shorts("She lives in Lyon.")[0][1] == "states"


def test_reported_speech_is_about_who_is_said_to_have_done_it() -> None:
    draft = only("Bob said he moved to Lyon.")
    assert (short(draft), draft.reported, draft.explicit) == (("Bob", "lives_in", "Lyon"), True, False)
    draft = only("Bob told me that Ana works at Acme.")
    assert (short(draft), draft.reported) == (("Ana", "works_at", "Acme"), True)
    assert only("I know you live in Lyon.").reported is False


@pytest.mark.parametrize(
    "text", ["I might move to Berlin.", "Maybe Bob likes tea.", "I think Bob works at Acme.", "Bob probably lives in Rome."]
)
def test_a_hedge_is_kept(text: str) -> None:
    draft = only(text)
    assert draft.hedged
    assert not draft.explicit
    assert draft.confidence < only("Bob works at Acme.").confidence


def test_a_hedge_colours_its_own_clause_only() -> None:
    sure, unsure = said("I live in Lyon, but maybe Bob lives in Rome.")
    assert (sure.hedged, unsure.hedged) == (False, True)
    assert not only(["We meet in May in Lyon", " May is my sister."][1]).hedged


@pytest.mark.parametrize(
    "text", ["Do you like tea?", "Where does Bob live?", "You live in Lyon?", "你喜欢茶吗？", "他住在哪里？", "What if it rains?"]
)
def test_a_question_says_nothing(text: str) -> None:
    assert said(text) == []


def test_what_is_told_before_a_question_is_kept() -> None:
    assert (ME, "uses", "Flask 2.3.1") in shorts("I'm using Flask 2.3.1, can you help me with the routes?")


@pytest.mark.parametrize("text", ["Maybe, I'll see.", "ok thanks!", "We'll see", "再说吧", "谢谢你"])
def test_empty_talk_is_marked_vague(text: str) -> None:
    """S12."""
    assert only(text).vague


def test_what_fits_no_pattern_is_kept_as_it_was_said() -> None:
    draft = only("The more the merrier, as ever.")
    assert (draft.predicate, draft.value) == ("states", "The more the merrier, as ever.")
    assert not draft.vague


def test_an_alias_is_stated_and_the_rest_still_read() -> None:
    assert shorts("Ana, also known as A. Berg, lives in Rome.") == [("Ana", "alias_of", "A. Berg"), ("Ana", "lives_in", "Rome")]
    assert shorts("José Núñez is also known as Jose Nunez.")[0] == ("José Núñez", "alias_of", "Jose Nunez")


def test_the_arity_is_that_of_the_predicate() -> None:
    assert only("Ana works at Acme.").arity is Arity.ONE
    assert only("Ana likes tea.").arity is Arity.MANY
    assert only("The colour of the door is green.").arity is Arity.ONE
    assert only("Ana administers the mail server.").arity is Arity.MANY


def test_code_is_nobodys_statement() -> None:
    assert shorts("I use Flask.\n```python\nBob = 'lives in Rome'\n```\n") == [(ME, "uses", "Flask")]
