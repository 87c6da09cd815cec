"""Chinese sentences say what they say: subject, predicate, value."""

import pytest

from consilience.schema.statements import Change, StatementKind
from tests.ingest.extraction.said import names, only, short, shorts

ME = "SPEAKER"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我在腾讯工作。", [(ME, "works_at", "腾讯")]),
        ("我住在北京，在字节跳动上班。", [(ME, "lives_in", "北京"), (ME, "works_at", "字节跳动")]),
        ("王芳加入了华为。", [("王芳", "works_at", "华为")]),
        ("我喜欢绿茶和咖啡。", [(ME, "likes", "绿茶"), (ME, "likes", "咖啡")]),
        ("我不喜欢喝咖啡。", [(ME, "likes", "-喝咖啡")]),
        ("她讨厌下雨。", [("王芳", "likes", "-下雨")]),
        ("我更喜欢坐火车。", [(ME, "prefers", "坐火车")]),
        ("我对花生过敏。", [(ME, "allergic_to", "花生")]),
        ("我对花生不过敏。", [(ME, "allergic_to", "-花生")]),
        ("我妈妈叫李梅。", [(ME, "has_mother", "李梅")]),
        ("王芳的妈妈是李梅。", [("王芳", "has_mother", "李梅")]),
        ("我养了一只猫叫咪咪。", [(ME, "has_pet", "咪咪"), ("咪咪", "is_a", "猫")]),
        ("我的生日是5月3日。", [(ME, "born_on", "2026-05-03")]),
        ("李小明出生于1990年5月。", [("李小明", "born_on", "1990-05")]),
        ("我今年30岁。", [(ME, "age", "30")]),
        ("我叫王芳。", [(ME, "name", "王芳")]),
        ("我的预算是两万。", [(ME, "budget_limit", "两万")]),
        ("小李的预算改成了3万元。", [("小李", "budget_limit", "3万元")]),
        ("会议改到下周五。", [("会议", "scheduled_on", "2026-05-22")]),
        ("张三是阿里巴巴的CEO。", [("阿里巴巴", "ceo", "张三")]),
        ("阿里巴巴的CEO是张三。", [("阿里巴巴", "ceo", "张三")]),
        ("法国的首都是巴黎。", [("法国", "capital", "巴黎")]),
        ("《红楼梦》是曹雪芹写的。", [("《红楼梦》", "author", "曹雪芹")]),
        ("她已婚。", [("王芳", "marital_status", "married")]),
        ("我住在臺北。", [(ME, "lives_in", "臺北")]),
        ("爱丽丝又叫Alice。", [("爱丽丝", "alias_of", "Alice")]),
        ("她修复了登录问题。", [("王芳", "修复", "登录问题")]),
    ],
)
def test_a_sentence_gives_its_statements(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert shorts(text, recent=names("王芳")) == expected


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("我搬到上海了。", Change.MOVED),
        ("我跳槽到华为了。", Change.MOVED),
        ("我不再住在上海。", Change.NO_LONGER),
        ("我不喜欢喝咖啡了。", Change.NO_LONGER),
        ("我以前住在杭州。", Change.USED_TO),
        ("我现在住在杭州。", Change.NOW),
        ("我住在杭州。", None),
    ],
)
def test_a_change_is_marked(text: str, change: Change | None) -> None:
    assert only(text).change is change


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("明天记得给妈妈打电话。", StatementKind.TODO),
        ("我必须周五前交报告。", StatementKind.TODO),
        ("必须每天备份数据库。", StatementKind.RULE),
        ("如果测试失败，请重新运行。", StatementKind.RULE),
        ("首先安装依赖，然后运行测试。", StatementKind.PROCEDURE),
        ("我讨厌一切！！！", StatementKind.OUTBURST),
        ("我喜欢茶。", StatementKind.PREFERENCE),
    ],
)
def test_a_statement_has_its_kind(text: str, kind: StatementKind) -> None:
    assert only(text).kind is kind


def test_reported_speech_and_hedges_are_kept() -> None:
    draft = only("小王说他搬到深圳了。")
    assert (short(draft), draft.reported, draft.explicit) == (("小王", "lives_in", "深圳"), True, False)
    assert only("我可能住在杭州。").hedged
    assert not only("我住在杭州。").hedged
