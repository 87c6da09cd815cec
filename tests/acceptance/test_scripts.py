"""What was said stays as it was said, in every script, and is found (O8, A17)."""

import unicodedata

from consilience.app.service import Services
from consilience.schema.domain import Episode
from tests.acceptance.saying import ask, ids, said, settle

# text, who said it, a question that should find it
SAID: tuple[tuple[str, str, str], ...] = (
    ("我下周三要去上海出差，带上那份合同。", "张三", "谁要去上海出差？"),
    ("會議改到星期五下午兩點，請準備投影機。", "李四", "会议改到什么时候？"),
    ("Мой поезд в Казань отходит в 7:45 с третьего пути.", "Владимир Путин", "Когда поезд в Казань?"),
    ("أعمل في مستشفى الملك فيصل منذ عام ٢٠١٩.", "محمد علي", "مستشفى الملك فيصل"),
    ("José Núñez prefiere el café sin azúcar en Bogotá.", "José Núñez", "¿Cómo prefiere José el café?"),
    ("Die Straßenbahn fährt sonntags nur bis Weißensee.", "Jürgen Groß", "Wie weit fährt die Straßenbahn?"),
    ("私は毎朝六時に代々木公園を走ります。", "山田太郎", "代々木公園"),
    ("나는 서울역 근처에서 김치찌개를 자주 먹는다.", "김민수", "서울역 김치찌개"),
    ("Το τρένο για τη Θεσσαλονίκη καθυστερεί πάντα.", "Νίκος", "τρένο Θεσσαλονίκη"),
    ("मुझे बनारस की कचौड़ी बहुत पसंद है।", "सीता", "बनारस कचौड़ी"),
    ("הרכבת לחיפה יוצאת בשעה תשע.", "דוד", "הרכבת לחיפה"),
    ("Zażółć gęślą jaźń przy Śliskiej 12.", "Łukasz Żak", "Śliska 12 gęślą"),
    ("O'Brien's   file: C:\\Temp\\a_b%20c.txt -> it's 100%!\n\tline two", "Seán O'Brien", "a_b%20c.txt"),
    ("Ship it 🚀👩🏽‍🔬 — naïve “quotes” … ½ ﬁne", "renée", "naïve quotes"),
    (unicodedata.normalize("NFD", "Crème brûlée à la fête de Noël."), unicodedata.normalize("NFD", "Zoë"), "crème brûlée"),
    (unicodedata.normalize("NFC", "Piñata für Åsa auf Föhr."), unicodedata.normalize("NFC", "Åsa"), "Piñata Föhr"),
    ("房号是１２０５，电话０２１－５５５５。", "王五", "1205房"),
)


async def everything(services: Services, space: str) -> dict[str, Episode]:
    episodes = [
        said(
            text,
            by=f"key-{who}",
            contributor_name=who,
            session=f"über {number} 会话",
            external_id=f"№{number}-{who}",
            metadata=((f"κ{number}", text),),
        )
        for number, (text, who, _) in enumerate(SAID)
    ]
    answer = await settle(services, space, *episodes)
    return {text: one for (text, _, _), one in zip(SAID, answer.episodes, strict=True)}


async def test_texts_and_names_of_every_script_are_kept_to_the_byte(services: Services, space: str) -> None:
    """O8: text, name, keys and metadata come back as the same bytes, NFC as NFC, NFD as NFD; each text is found by a question.

    Control: the table holds texts that differ from their own normal forms, so a service that normalised them would fail.
    """
    made = await everything(services, space)
    again = await services.list_episodes([one.id for one in made.values()], space=space)
    for number, (text, who, _) in enumerate(SAID):
        for one in (made[text], again[made[text].id]):
            assert one.text.encode() == text.encode()
            assert one.contributor.name == who
            assert one.contributor.external_id == f"key-{who}"
            assert one.external_id == f"№{number}-{who}"
            assert one.session is not None
            assert one.session.external_id == f"über {number} 会话"
            assert one.metadata == ((f"κ{number}", text),)
        found = await services.find_contributor(f"key-{who}", space=space)
        assert found is not None
        assert found.name == who
    changed = [text for text, _, _ in SAID if {unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC")} != {text}]
    assert len(changed) >= 6

    for text, who, question in SAID:
        assert made[text].id in ids(await ask(services, space, question, first=3)), question
        assert made[text].id in ids(await ask(services, space, question, first=3, contributor=f"key-{who}")), who
        about = await ask(services, space, question, first=20, about=f"key-{who}")
        assert made[text].id in ids(about), who


# as stored, as asked for
SPELT: tuple[tuple[str, str], ...] = (
    ("请把發票寄給財務部門。", "发票寄给财务"),
    ("请把发票寄给财务部门。", "發票寄給財務"),
    ("Room ４０７ is free.", "Room 407"),
    ("Room 407 is free.", "Ｒｏｏｍ ４０７"),
    (unicodedata.normalize("NFD", "Ångström measured it."), unicodedata.normalize("NFC", "Ångström")),
    (unicodedata.normalize("NFC", "Ångström measured it."), unicodedata.normalize("NFD", "Ångström")),
    ("The STRASSE is closed.", "straße"),
    ("İstanbul office hours.", "istanbul"),
    ("The ＷＩＦＩ password is on the wall.", "wifi"),
    ("Soft\u00adware up\u200bdate.", "software update"),
)


async def test_spellings_of_one_word_find_each_other(services: Services, space: str) -> None:
    """A17, O8: traditional and simplified, full width and half width, NFC and NFD, upper and lower case match as words.

    Control: another word does not; the words part of every hit is 0 then.
    """
    answer = await settle(services, space, *(said(stored) for stored, _ in SPELT))
    for (stored, asked), made in zip(SPELT, answer.episodes, strict=True):
        hit = next(hit for hit in (await ask(services, space, asked, first=50)).hits if hit.memory.id == made.id)
        assert hit.parts.words > 0, asked
        assert hit.memory.text == stored
    control = (await ask(services, space, "zebra", first=50)).hits
    assert len(control) == len(SPELT)
    assert {hit.parts.words for hit in control} == {0}
