"""What is known about each source that rows come from: its licence, its home, how to cite it. Pure.

`licence` is what the publisher says of the rows (SPDX), never of the pictures: these keep the terms of those who made
them, so none of these sources allows us to hand its pictures on. `unknown` means that no licence was found; a release
then needs a maintainer's written override. `check` says what a person should look at before relying on the card.
"""

from dataclasses import dataclass

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class SourceCard:
    """The identity of a source. `key` is that of the Source; `layout` reads its files."""

    key: str
    name: str
    layout: str
    licence: str
    homepage: str
    citation: str
    check: str = ""
    images_redistributable: bool = False


CARDS: dict[str, SourceCard] = {
    card.key: card
    for card in (
        SourceCard(
            key="hardbench",
            name="HARDBench",
            layout="hardbench",
            licence="CC-BY-SA-4.0",
            homepage="https://huggingface.co/datasets/hyeminboo/HARDBench",
            citation="Boo, Byeon and Lee: HARDBench and Rotus. https://github.com/ewha-mmai/rotus",
            check="Every row keeps the licence of the source that it names as its data_source.",
        ),
        SourceCard(
            key="pixmo-count",
            name="PixMo-Count",
            layout="pixmo-count",
            licence="ODC-By-1.0",
            homepage="https://huggingface.co/datasets/allenai/pixmo-count",
            citation="Deitke et al.: Molmo and PixMo: Open Weights and Open Data for State-of-the-Art Vision-Language Models. "
            "arXiv:2409.17146.",
            check="Rows name addresses of pictures on the web; each keeps its own terms.",
        ),
        SourceCard(
            key="tallyqa",
            name="TallyQA",
            layout="tallyqa",
            licence="Apache-2.0",
            homepage="https://github.com/manoja328/TallyQA_dataset",
            citation="Acharya, Kafle and Kanan: TallyQA: Answering Complex Counting Questions. AAAI 2019.",
            check="Pictures are from COCO and Visual Genome; imported questions are from VQA 2, Visual Genome and TDIUC.",
        ),
        SourceCard(
            key="arxivqa",
            name="ArxivQA",
            layout="arxivqa",
            licence="CC-BY-SA-4.0",
            homepage="https://huggingface.co/datasets/MMInstruction/ArxivQA",
            citation="Li et al.: Multimodal ArXiv: A Dataset for Improving Scientific Comprehension of Large Vision-Language "
            "Models. ACL 2024.",
            check="Each figure keeps the terms of its paper.",
        ),
        SourceCard(
            key="mm-adaptive-cof",
            name="MM-Adaptive-CoF RL (CoF-RL-Data)",
            layout="cof",
            licence=UNKNOWN,
            homepage="https://huggingface.co/datasets/xintongzhang/CoF-RL-Data",
            citation="Zhang et al.: Adaptive Chain-of-Focus Reasoning via Dynamic Visual Search and Zooming for Efficient VLMs. "
            "arXiv:2505.15436.",
            check="No licence was found. Its pictures may be those of other sources: look for near-duplicates.",
        ),
        SourceCard(
            key="vstar",
            name="V*Bench",
            layout="vstar",
            licence=UNKNOWN,
            homepage="https://huggingface.co/datasets/craigwu/vstar_bench",
            citation="Wu and Xie: V*: Guided Visual Search as a Core Mechanism in Multimodal LLMs. CVPR 2024.",
            check="The code repository says MIT, the page of the data set says nothing; pictures named sa_… are from SA-1B.",
        ),
        SourceCard(
            key="realx",
            name="RealX-Bench",
            layout="realx",
            licence="Apache-2.0",
            homepage="https://huggingface.co/datasets/glowol/RealXBench",
            citation="Hong et al.: DeepEyesV2: Toward Agentic Multimodal Model. arXiv:2511.05271.",
            check="194 of 300 rows are published; the page tags them Apache-2.0 and does not speak of the pictures.",
        ),
    )
}


def card_of(key: str) -> SourceCard | None:
    """The card of a source, if it is one that we know."""
    return CARDS.get(key)
