"""robots.txt after RFC 9309, read and matched as Google's parser does.

The rules of all groups that name us are merged; only if none does, those for `*` count. Of the
rules that match a path the longest decides, and Allow wins a tie.

On escapes the RFC and Google differ: to Google `/%7Ea` and `/~a` are two paths, to the RFC one. We
let a Disallow count in either reading and an Allow only to the letter, so that whatever reading a
site had in mind, it is not asked for more than it grants.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator

from lagotto.base.facts import OptOut, Use

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


MAX_SIZE = 500 * 1024
"""Bytes of a robots.txt that are read, the least that the RFC allows a crawler to stop at."""
_MAX_LINE = 16_663
_MAX_SITEMAPS = 1_000

# The field names people write, each with its usual misspellings.
_AGENT_FIELDS = ("user-agent", "useragent", "user agent")
_ALLOW_FIELDS = ("allow",)
_DISALLOW_FIELDS = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "desallow")
_DELAY_FIELDS = ("crawl-delay", "crawldelay", "crawl delay")
_SITEMAP_FIELDS = ("sitemap", "site-map")
_SIGNAL_FIELDS = ("content-signal",)
_SOURCE = "robots.txt"

_PRODUCT = re.compile(r"[A-Za-z_-]+")
_AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://)?[^/?;#]*")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_HIGH = re.compile(r"[\x80-\xff]")


class Robots:
    """What one robots.txt says to one crawler.

    >>> robots = Robots(b"User-agent: *\\nDisallow: /private\\nAllow: /private/*.html$", "lagotto")
    >>> robots.allowed("http://a.org/private/x"), robots.allowed("http://a.org/private/x.html")
    (False, True)
    """

    def __init__(self, body: bytes, product: str) -> None:
        self.product = product
        self.crawl_delay = 0.0
        """Seconds between requests that the file asks for, as written; 0 when it asks for none."""
        self.sitemaps: list[str] = []
        self.rules: list[tuple[str, bool]] = []
        """Patterns with whether they allow, the deciding one first."""
        self.ai_rules: list[tuple[list[str], list[tuple[str, bool]]]] = []
        """Crawlers for AI that are kept out of some paths, as keys of `AI_CRAWLERS`, and their rules."""
        self.signals: set[tuple[Use, str]] = set()
        """Uses that `Content-Signal` lines refuse, and the words that do so."""
        self._read(body)

    def allowed(self, url: str) -> bool:
        """Whether the crawler may ask for the URL."""
        return _allowed(self.rules, path_of(url))

    def opt_outs(self, url: str) -> list[OptOut]:
        """Uses of the URL that the file opts out of."""
        found = [OptOut(use, _SOURCE, words) for use, words in sorted(self.signals)]
        kept_out: dict[Use, list[str]] = {}
        for agents, rules in self.ai_rules:
            if not _allowed(rules, path_of(url)):
                for use, name in map(AI_CRAWLERS.__getitem__, agents):
                    kept_out.setdefault(use, []).append(name)
        return found + [OptOut(use, _SOURCE, ", ".join(sorted(kept_out[use]))) for use in sorted(kept_out)]

    @property
    def size(self) -> int:
        """Number of rules."""
        return len(self.rules) + sum(len(rules) for _, rules in self.ai_rules)

    def _read(self, body: bytes) -> None:
        ours, everyone = _Group(), _Group()
        for_ai: dict[str, _Group] = {}
        to_ai: set[str] = set()
        to_us = to_everyone = naming = False
        for field, value in _lines(body):
            if field.startswith(_AGENT_FIELDS):
                if not naming:
                    to_us = to_everyone = False
                    to_ai = set()
                naming = True
                if value == "*" or value[:2] in ("* ", "*\t"):
                    to_everyone = True
                elif self._is_product(value):
                    to_us = ours.named = True
                elif agent := ai_crawler(value):
                    to_ai.add(agent)
            elif field.startswith(_SITEMAP_FIELDS):
                self._add_sitemap(value)
            else:
                # A line that is no rule does not end the list of names above it.
                naming = naming and not field.startswith((*_ALLOW_FIELDS, *_DISALLOW_FIELDS))
                if to_us:
                    ours.add(field, value)
                if to_everyone:
                    everyone.add(field, value)
                for agent in to_ai:
                    for_ai.setdefault(agent, _Group()).add(field, value)
        group = ours if ours.named else everyone
        self.crawl_delay = group.crawl_delay
        self.rules = group.sorted_rules()
        self.signals = group.signals
        self._keep_ai_rules(for_ai)

    def _keep_ai_rules(self, groups: dict[str, _Group]) -> None:
        """Keep rules that forbid something, once for all crawlers that they are the same for."""
        agents: dict[frozenset[tuple[str, bool]], list[str]] = {}
        for agent, group in groups.items():
            if any(not allow for _, allow in group.rules):
                agents.setdefault(frozenset(group.rules), []).append(agent)
        self.ai_rules = [(names, groups[names[0]].sorted_rules()) for names in agents.values()]

    def _is_product(self, value: str) -> bool:
        name = _PRODUCT.match(value)
        return name is not None and name[0].lower() == self.product.lower()

    def _add_sitemap(self, value: str) -> None:
        url = value.encode("latin-1").decode("utf-8", "replace")
        if url and len(self.sitemaps) < _MAX_SITEMAPS and url not in self.sitemaps:
            self.sitemaps.append(url)


class _Group:
    """The merged rules for one crawler, or for all."""

    def __init__(self) -> None:
        self.named = False
        self.crawl_delay = 0.0
        self.rules: set[tuple[str, bool]] = set()
        self.signals: set[tuple[Use, str]] = set()

    def sorted_rules(self) -> list[tuple[str, bool]]:
        """The rules, the deciding one first."""
        return sorted(self.rules, key=lambda rule: (-len(rule[0]), not rule[1]))

    def add(self, field: str, value: str) -> None:
        if field.startswith(_DISALLOW_FIELDS):
            if value:
                self.rules.add((_escape(value), False))
        elif field.startswith(_ALLOW_FIELDS):
            if value:
                pattern = _escape(value)
                self.rules.add((pattern, True))
                # Allowing a folder's index page allows the folder's own URL.
                folder, slash, page = pattern.rpartition("/")
                if slash and page.startswith("index.htm"):
                    self.rules.add((f"{folder}/$", True))
        elif field.startswith(_DELAY_FIELDS):
            self.crawl_delay = max(self.crawl_delay, _delay(value))
        elif field.startswith(_SIGNAL_FIELDS):
            self.signals.update(refused_uses(value))


def _lines(body: bytes) -> list[tuple[str, str]]:
    """Field and value of every line that has both; bytes beyond ASCII stand as Latin-1 characters."""
    pairs = []
    for line in re.split(r"\r\n|\n|\r", _text(body)):
        line = line[:_MAX_LINE].partition("#")[0].strip(" \t\r\n\v\f\x00")
        field, colon, value = line.partition(":")
        if not colon:
            # People forget the colon; two words are then still a field and its value.
            words = line.split()
            if len(words) != 2:
                continue
            field, value = words
        field = field.strip().lower()
        if field:
            pairs.append((field, value.strip()))
    return pairs


def _text(body: bytes) -> str:
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        body = body[: 2 * MAX_SIZE].decode("utf-16", "replace").encode("utf-8", "replace")
    if len(body) > MAX_SIZE:
        # The last line is cut somewhere, and half a rule may forbid or allow too much.
        body = body[:MAX_SIZE]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    return body.decode("latin-1")


def _delay(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return 0.0 if math.isnan(seconds) or seconds < 0 else seconds


def _allowed(rules: list[tuple[str, bool]], path: str) -> bool:
    """Whether rules allow a path."""
    plain = _unescape(path)
    for pattern, allow in rules:
        if matches(pattern, path):
            return allow
        if not allow and ("%" in pattern or plain != path) and _matches_unescaped(pattern, plain):
            return False
    return True


def path_of(url: str) -> str:
    """Path and query as the rules see them."""
    authority = _AUTHORITY.match(url)
    rest = url[authority.end() if authority else 0 :].partition("#")[0]
    return rest if rest.startswith("/") else f"/{rest}"


def matches(pattern: str, path: str) -> bool:
    """Match `*` and a final `$`, each literal piece at its first place: no backtracking is needed."""
    if "*" not in pattern and not pattern.endswith("$"):
        return path.startswith(pattern)
    return _match_pieces(*_pieces(pattern), path)


def _matches_unescaped(pattern: str, plain: str) -> bool:
    """Match with the escapes of the pattern's literal pieces undone, against an unescaped path."""
    pieces, anchored = _pieces(pattern)
    return _match_pieces([_unescape(piece) for piece in pieces], anchored, plain)


def _pieces(pattern: str) -> tuple[list[str], bool]:
    anchored = pattern.endswith("$")
    return (pattern[:-1] if anchored else pattern).split("*"), anchored


def _match_pieces(pieces: list[str], anchored: bool, path: str) -> bool:
    first, *rest = pieces
    if not path.startswith(first):
        return False
    if not rest:
        return not anchored or len(path) == len(first)
    at = len(first)
    last = rest.pop() if anchored else ""
    for piece in rest:
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return path.endswith(last) and at + len(last) <= len(path)


def _escape(pattern: str) -> str:
    """Escape bytes beyond ASCII and write escapes in upper case."""
    pattern = _ESCAPE.sub(lambda escape: escape[0].upper(), pattern)
    return _HIGH.sub(lambda byte: f"%{ord(byte[0]):02X}", pattern)


def _unescape(text: str) -> str:
    """Undo escapes of printable ASCII, except those of `/` and `%`, and write the others in upper case."""
    if "%" not in text:
        return text

    def undo(escape: re.Match[str]) -> str:
        code = int(escape[0][1:], 16)
        return chr(code) if 0x20 < code < 0x7F and code not in b"/%" else escape[0].upper()

    return _ESCAPE.sub(undo, text)
