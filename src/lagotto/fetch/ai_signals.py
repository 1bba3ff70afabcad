"""What robots.txt says about AI: crawlers that it keeps out by name, and `Content-Signal` lines."""

from __future__ import annotations

from collections.abc import Iterator

from lagotto.facts import Use

_TRAINING = (
    "AI2Bot Amazonbot anthropic-ai Applebot-Extended Bytespider CCBot Claude-Web ClaudeBot cohere-ai"
    " cohere-training-data-crawler Diffbot FacebookBot Google-Extended GPTBot ICC-Crawler meta-externalagent"
    " omgili omgilibot PanguBot Timpibot VelenPublicWebCrawler Webzio-Extended"
)
_ANSWERING = (
    "ChatGPT-User Claude-SearchBot Claude-User DuckAssistBot Google-CloudVertexBot Meta-ExternalFetcher"
    " MistralAI-User OAI-SearchBot Perplexity-User PerplexityBot YouBot"
)
_PICTURES = "ImagesiftBot img2dataset"
_USES = {Use.AI: _TRAINING, Use.AI_INPUT: _ANSWERING, Use.IMAGES: _PICTURES}
AI_CRAWLERS = {name.lower(): (use, name) for use, names in _USES.items() for name in names.split()}
"""Name in lower case -> what its operator says that it crawls for, and the name as the operator writes it."""

_SIGNALS = {"search": Use.SEARCH, "ai-input": Use.AI_INPUT, "ai-train": Use.AI}


def ai_crawler(agent: str) -> str:
    """The key of `AI_CRAWLERS` that a line `User-agent` names; empty if it names another crawler.

    >>> ai_crawler("GPTBot/1.1"), ai_crawler("Googlebot")
    ('gptbot', '')
    """
    words = agent.partition("/")[0].split()
    name = words[0].lower() if words else ""
    return name if name in AI_CRAWLERS else ""


def refused_uses(signals: str) -> Iterator[tuple[Use, str]]:
    """Uses that the value of a `Content-Signal` line refuses, with the words that do so.

    >>> list(refused_uses("search=yes, ai-train = no"))
    [(<Use.AI: 'ai'>, 'ai-train=no')]
    """
    for signal in signals.lower().split(","):
        name, _, value = (part.strip() for part in signal.partition("="))
        if name in _SIGNALS and value == "no":
            yield _SIGNALS[name], f"{name}=no"
