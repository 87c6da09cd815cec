"""Twenty things people said, in English and in Chinese, each with a question in both. Written for these tests."""

from typing import Final

# (English, Chinese, English question, Chinese question)
PAIRS: Final = (
    (
        "I moved to Hamburg in March because of the new job.",
        "因为新工作，我三月份搬到了汉堡。",
        "Which city did Anna move to?",
        "安娜搬到了哪个城市？",
    ),
    (
        "My daughter is allergic to peanuts.",
        "我女儿对花生过敏。",
        "What is her daughter allergic to?",
        "她女儿对什么过敏？",
    ),
    (
        "We adopted a grey cat called Momo.",
        "我们领养了一只灰色的猫，叫莫莫。",
        "What pet did they adopt?",
        "他们领养了什么宠物？",
    ),
    (
        "The boiler in the basement broke down again last night.",
        "地下室的锅炉昨晚又坏了。",
        "Which machine broke down?",
        "哪台设备又坏了？",
    ),
    (
        "I have been learning to play the violin for two years.",
        "我学小提琴已经两年了。",
        "Which instrument is she learning?",
        "她在学什么乐器？",
    ),
    (
        "The invoice must be paid before the end of June.",
        "发票必须在六月底之前付清。",
        "By when must the invoice be paid?",
        "发票什么时候之前要付？",
    ),
    (
        "My brother works as a nurse in a children's hospital.",
        "我哥哥在儿童医院当护士。",
        "What is the brother's profession?",
        "哥哥是做什么工作的？",
    ),
    (
        "I stopped drinking coffee because I could not sleep.",
        "我因为睡不着，不再喝咖啡了。",
        "Why did she give up coffee?",
        "她为什么不喝咖啡了？",
    ),
    (
        "Our flight to Tokyo was cancelled because of the storm.",
        "我们去东京的航班因为暴风雨取消了。",
        "Why was the flight cancelled?",
        "航班为什么取消了？",
    ),
    (
        "She won first prize in the chess tournament.",
        "她在国际象棋比赛中得了第一名。",
        "Who won the chess tournament?",
        "国际象棋比赛的结果怎么样？",
    ),
    (
        "The password of the test server is changed every Monday.",
        "测试服务器的密码每周一更换。",
        "How often is the server password changed?",
        "服务器密码多久换一次？",
    ),
    (
        "I bought a second-hand bicycle for eighty euros.",
        "我花八十欧元买了一辆二手自行车。",
        "How much did the bicycle cost?",
        "自行车花了多少钱？",
    ),
    (
        "Grandmother makes dumplings for the spring festival.",
        "奶奶过春节的时候会包饺子。",
        "What does grandmother cook for the festival?",
        "奶奶过节做什么吃的？",
    ),
    (
        "The doctor told me to walk half an hour every day.",
        "医生让我每天走路半个小时。",
        "What did the doctor recommend?",
        "医生建议做什么？",
    ),
    (
        "He is writing his thesis about solar energy.",
        "他正在写关于太阳能的论文。",
        "What is the thesis about?",
        "论文写的是什么题目？",
    ),
    (
        "I lost my keys in the library yesterday.",
        "我昨天在图书馆丢了钥匙。",
        "Where were the keys lost?",
        "钥匙是在哪里丢的？",
    ),
    (
        "The new office has no parking for visitors.",
        "新办公室没有访客停车位。",
        "Can visitors park at the new office?",
        "访客可以在新办公室停车吗？",
    ),
    (
        "My favourite season is autumn, when the leaves turn red.",
        "我最喜欢秋天，树叶都红了。",
        "Which season does he like best?",
        "他最喜欢哪个季节？",
    ),
    (
        "We decided to postpone the wedding until next year.",
        "我们决定把婚礼推迟到明年。",
        "Was the wedding postponed?",
        "婚礼推迟了吗？",
    ),
    (
        "The museum is closed on Tuesdays.",
        "博物馆星期二不开门。",
        "On which day is the museum closed?",
        "博物馆哪天不开？",
    ),
)
