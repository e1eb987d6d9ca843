"""Does a prediction refuse to answer? A versioned set of rules; a prediction's own flag stands above them.

The rules read the final answer only. They look for two things: words of not being able to tell ("cannot be determined",
"unanswerable"), and words that deny what the question takes for granted ("there is no red kiosk", "no kettle is visible").
A short answer that merely contains "no" or "none" is an answer: "no", "none", "0". Blank text refuses nothing.

The rules are our own. How far they agree with people must be measured on a sample before figures are compared with those
of a judge model; published Rotus figures use one.
"""

import re
import unicodedata

RULES_VERSION = "refusal-1"

ANSWER_TAG = re.compile(r"<answer>(.*?)</answer>", re.DOTALL | re.IGNORECASE)

UNABLE = (
    r"\bunanswerable\b",
    r"\bnot answerable\b",
    r"\b(?:can ?not|can't|could not|couldn't|unable to|impossible to|not possible to|no way to) (?:be )?(?:\w+ly )?"
    r"(?:answer|determin|tell|say|see|identif|find|locat|know|verif|confirm|establish|discern)",
    r"\b(?:not|n't) (?:enough|sufficient) (?:information|evidence|context|detail)",
    r"\binsufficient (?:information|evidence|context|detail)",
    r"\b(?:question|premise) (?:is|rests on|contains|has|relies on) (?:an? )?(?:false|wrong|invalid|incorrect|unsupported)",
    r"\bfalse (?:premise|presupposition)\b",
    r"\bi (?:don't|do not) know\b",
    r"\bi (?:must|have to|will) (?:refuse|decline|abstain)\b",
    r"\bno answer (?:is )?possible\b",
)
DENIED = (
    r"\bthere (?:is|are|was|were) (?:no|not an?y?)\b(?! (?:doubt|question)\b)",
    r"\bthere (?:isn't|aren't|wasn't|weren't)\b",
    r"\b(?:do|does|did)(?: not|n't) (?:exist|appear|show|contain|depict|include|have|support)\b",
    r"\b(?:is|are) (?:not|n't) (?:\w+ )?(?:visible|present|shown|depicted|in the (?:image|picture|photo|scene|chart|figure))\b",
    r"\b(?:isn't|aren't) (?:\w+ )?(?:visible|present|shown|depicted|in the (?:image|picture|photo|scene|chart|figure))\b",
    r"\bno (?:\w+ ){1,5}(?:is|are|can be|could be) (?:visible|present|shown|seen|depicted|found|in the)\b",
    r"\bi (?:see|find|can see|can find) no\b",
    r"\bi (?:do not|don't|cannot|can't) (?:see|find)\b",
)
CHINESE = (
    r"无法(?:回答|确定|判断|得知|看出|识别|找到|辨认)",
    r"不能(?:回答|确定|判断)",
    r"不可回答",
    r"(?:图|图片|图像|画面)中?(?:没有|并没有|不存在|未显示|看不到)",
    r"信息不足",
    r"前提(?:错误|不成立|有误)",
)
UNABLE_WORDS = re.compile("|".join((*UNABLE, *CHINESE)))
ANY_WORDS = re.compile("|".join((*UNABLE, *CHINESE, *DENIED)))
YES_OR_NO = re.compile(r"(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b")
"""To a yes-or-no question "there is no dog" is an answer, so there only words of not being able to tell count."""


def final_answer(text: str) -> str:
    """What stands inside the last <answer> tag, else the whole text; blanks at the edges gone."""
    tagged = ANSWER_TAG.findall(text)
    return (tagged[-1] if tagged else text).strip()


def refuses(text: str, *, flag: bool | None = None, question: str = "") -> bool:
    """Whether the prediction refuses. `flag` is the model's own word and wins where it is given."""
    if flag is not None:
        return flag
    words = UNABLE_WORDS if YES_OR_NO.match(_plain(question)) else ANY_WORDS
    return words.search(_plain(final_answer(text))) is not None


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())
