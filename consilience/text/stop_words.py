"""Words too common to ask for (data). Spelt as `words.normalise` leaves them, apostrophes dropped. Questions only; storing keeps all."""

from typing import Final

_ENGLISH = """
a about above after again against all almost also although always am among an and another any anybody anyone anything are arent
around as at away back be became because become becomes been before being below between both but by came can cannot cant come
comes could couldnt did didnt different do does doesnt doing done dont down during each either else ever every everybody everyone
everything few for from further gave get gets getting give given gives go goes going gone gonna got gotten had hadnt has hasnt
have havent having he hed hell her here heres hers herself hes hey hi him himself his how however hows i id if ill im in instead
into is isnt it itll its itself ive just kind lets like likely made make makes many may maybe me might mine more most much must my
myself never no nobody none nor not nothing now of off often oh ok okay on once one only onto or other others our ours ourselves
out over own per perhaps please quite rather really same shall shant she shed shes should shouldnt since so some somebody someone
something sometimes still such sure take taken takes tell than that thats the their theirs them themselves then there theres these
they theyd theyll theyre theyve thing things this those though through thus to too took toward towards under until unto up upon us
use used very via want wanted wants was wasnt way we wed well went were werent weve what whatever whats when whenever whens where
whereas wheres whether which while who whoever whom whos whose why will with within without wont would wouldnt yeah yes yet you
youd youll your youre yours yourself yourselves youve mentioned mention said say says
"""
ENGLISH: Final = frozenset(_ENGLISH.split())

_CHINESE = """
的 了 着 过 地 得 之 吗 呢 吧 啊 呀 嘛 哦 嗯 哈 啦 么 和 与 及 或 而 且 但 但是 可是 不过 因为 所以 如果 虽然 然后 而且
并且 或者 还是 以及 是 是不是 不是 就是 在 有 有没有 没有 没 不 也 都 就 还 又 再 很 非常 太 更 最 被 把 给 对 对于 关于 从
到 向 由 以 为 于 让 使 用 跟 同 我 你 您 他 她 它 我们 你们 他们 她们 它们 咱们 自己 大家 我的 你的 他的 她的 这 那 这个
那个 这些 那些 这里 那里 这样 那样 这么 那么 此 其 谁 什么 什么样 甚么 啥 哪 哪个 哪些 哪里 哪儿 哪位 怎么 怎么样 怎样 如何 为什么
为何 何时 何地 几 几个 多少 多久 多大 时候 什么时候 请问 请 告诉 会 能 能够 可以 可能 应该 要 想 需要 说 说过 提到 提 一个 一些
一下 一点 个 位 些 种 件 次 上 下 里 中 内 外 来 去 做 当 时 是否 曾 曾经 已经
"""
CHINESE: Final = frozenset(_CHINESE.split())
