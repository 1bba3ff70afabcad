"""Why a URL has no page, and why a link was not queued: each reason with all its facts, in two tables."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus

from msgspec import Struct


class Reason(StrEnum):
    """Why a URL brought no page to the harvest; stored, shown and counted."""

    # Refused before a request was sent.
    SCHEME = "scheme"
    ADDRESS = "address-refused"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    TRAP = "trap"
    LOCAL = "local"
    # The request failed.
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    RESET = "connection-reset"
    TIMEOUT_CONNECT = "timeout-connect"
    TIMEOUT_HEADERS = "timeout-headers"
    TIMEOUT_IDLE = "timeout-idle"
    TIMEOUT_TOTAL = "timeout-total"
    BAD_HTTP = "bad-http"
    BAD_ENCODING = "bad-content-encoding"
    TOO_LARGE = "too-large"
    PROXY = "proxy"
    # An answer came that is no page.
    HTTP_STATUS = "http-status"
    THROTTLED = "throttled"
    CONTENT_TYPE = "content-type"
    REDIRECT = "redirect"
    REDIRECT_LIMIT = "redirect-limit"
    REDIRECT_REFUSED = "redirect-refused"
    # The parser gave up.
    PARSE_TIMEOUT = "parse-timeout"
    PARSE_MEMORY = "parse-memory"
    PARSE_CRASH = "parse-crash"
    PDF_ENCRYPTED = "pdf-encrypted"
    PDF_BROKEN = "pdf-broken"
    # An answer, but not a page of the harvest.
    DUPLICATE = "duplicate"
    NOINDEX = "noindex"
    OPT_OUT = "opt-out"
    SITEMAP = "sitemap"

    @property
    def facts(self) -> Facts:
        """What is known about this reason."""
        return REASONS[self]

    @property
    def retry(self) -> bool:
        """Whether the same request may succeed later."""
        return REASONS[self].retry


class Facts(Struct, frozen=True):
    """All facts of one reason."""

    words: str
    """What happened, as a clause for people."""
    retry: bool = False
    """Whether the same request may succeed later."""
    about_host: bool = False
    """Whether it says more about the host than about the URL."""
    asked: bool = True
    """Whether the host was asked for anything."""
    error: bool = True
    """Whether it counts as an error; a redirect does not."""
    detailed: bool = True
    """Whether the detail of a failure says more than these words."""
    advice: str = "check the address"
    """What to do if it happens to a seed."""
    leads: str = ""
    """How a URL was found that such an answer named; empty if such answers name none."""


_LATER = "check the address, or try again later"
_SLOW = "try again later, or give it more time with --timeout"
_PARSER = "start from another page"

REASONS: dict[str, Facts] = {
    Reason.SCHEME: Facts("it is not a URL that can be requested", asked=False),
    Reason.ADDRESS: Facts(
        "its address is not public",
        asked=False,
        detailed=False,
        advice="name the private range with --allow-private CIDR if you mean it",
    ),
    Reason.ROBOTS: Facts(
        "its robots.txt forbids it", asked=False, advice="start from a page that robots.txt allows"
    ),
    Reason.ROBOTS_UNREACHABLE: Facts(
        "its robots.txt could not be fetched", retry=True, about_host=True, advice=_LATER
    ),
    Reason.TRAP: Facts(
        "it leads into a trap, or enough URLs of its shape were fetched",
        asked=False,
        advice="see --ignore-traps and --pattern-limit",
    ),
    Reason.LOCAL: Facts(
        "this machine has no more files, ports or memory for a request",
        retry=True,
        asked=False,
        advice="raise the limit of open files (ulimit -n) or lower --concurrency",
    ),
    Reason.DNS: Facts("the host name has no address", retry=True, about_host=True),
    Reason.CONNECT: Facts("no connection could be made", retry=True, about_host=True, advice=_LATER),
    Reason.TLS: Facts(
        "its certificate or the TLS handshake is bad",
        about_host=True,
        advice="accept it with --insecure if you trust the site",
    ),
    Reason.RESET: Facts(
        "the server closed the connection without a whole answer", retry=True, about_host=True, advice=_LATER
    ),
    Reason.TIMEOUT_CONNECT: Facts(
        "no connection was made in time", retry=True, about_host=True, advice=_LATER
    ),
    Reason.TIMEOUT_HEADERS: Facts("no headers came in time", retry=True, about_host=True, advice=_SLOW),
    Reason.TIMEOUT_IDLE: Facts("the body stopped coming", retry=True, about_host=True, advice=_SLOW),
    Reason.TIMEOUT_TOTAL: Facts("the body came too slowly", retry=True, about_host=True, advice=_SLOW),
    Reason.BAD_HTTP: Facts("the answer is not valid HTTP"),
    Reason.BAD_ENCODING: Facts("the body is not compressed as the headers say"),
    Reason.TOO_LARGE: Facts("the answer is over a size limit", advice="see --max-size"),
    Reason.PROXY: Facts(
        "the proxy cannot be reached or refuses", retry=True, about_host=True, advice="check --proxy"
    ),
    Reason.HTTP_STATUS: Facts("the server answered with an error status"),
    Reason.THROTTLED: Facts(
        "the server asks for fewer requests", retry=True, advice="try again later with a higher --delay"
    ),
    Reason.CONTENT_TYPE: Facts("it is not a page", advice="start from a page in HTML or plain text"),
    Reason.REDIRECT: Facts("the page is elsewhere", error=False, leads="redirected here"),
    Reason.REDIRECT_LIMIT: Facts("it leads through too many redirects"),
    Reason.REDIRECT_REFUSED: Facts(
        "it redirects to where the crawl does not go",
        advice="start from where it leads, or allow that with the options for scope",
    ),
    Reason.PARSE_TIMEOUT: Facts("reading the page took too long", advice=_PARSER),
    Reason.PARSE_MEMORY: Facts("reading the page took too much memory", advice=_PARSER),
    Reason.PARSE_CRASH: Facts("the parser crashed on the page", advice=_PARSER),
    Reason.PDF_ENCRYPTED: Facts("it is a PDF file with a password", advice=_PARSER),
    Reason.PDF_BROKEN: Facts("it is a PDF file that is damaged", advice=_PARSER),
    Reason.DUPLICATE: Facts("its content was seen before", error=False),
    Reason.NOINDEX: Facts("the page asks not to be indexed", error=False),
    Reason.OPT_OUT: Facts(
        "the page opts out of being mined or used for AI",
        error=False,
        advice="start from another page; without --obey-opt-outs it is kept, with its signals",
    ),
    Reason.SITEMAP: Facts("it is a sitemap", error=False, leads="named by the sitemap"),
}


def facts_of(reason: str) -> Facts | None:
    """Facts of a stored reason; None if this version does not know it."""
    return REASONS.get(reason)


def describe(reason: str, detail: str = "") -> str:
    """What happened, for people.

    >>> describe("http-status", "404")
    'the server answered with status 404 (Not Found)'
    >>> describe("robots-unreachable", "robots.txt: dns unknown name")
    'its robots.txt could not be fetched: the host name has no address (unknown name)'
    """
    if reason in (Reason.HTTP_STATUS, Reason.THROTTLED) and detail.isdecimal():
        return f"the server answered with status {_status(detail)}"
    cause, why = cause_of(reason, detail)
    if cause != reason:
        return f"{describe(reason)}: {describe(cause, why)}"
    facts = facts_of(reason)
    words = facts.words if facts else reason
    if facts and not facts.detailed:
        return words
    return f"{words} ({detail.removeprefix('robots.txt: ')})" if detail else words


def cause_of(reason: str, detail: str) -> tuple[str, str]:
    """Reason and detail of the first cause: that of robots.txt, where robots.txt could not be had."""
    if reason == Reason.ROBOTS_UNREACHABLE:
        named, _, why = detail.removeprefix("robots.txt: ").partition(" ")
        if named in REASONS:
            return named, why
    return reason, detail


def counted_as(reason: str, status: int) -> str:
    """What a URL without a page is counted as: its reason, with the status where that tells them apart.

    >>> counted_as("http-status", 404)
    'http-status 404'
    """
    return f"{reason} {status}" if reason == Reason.HTTP_STATUS else reason


def is_error(counted: str) -> bool:
    """Whether what `counted_as` gives is an error."""
    facts = facts_of(counted.partition(" ")[0])
    return facts is None or facts.error


def was_asked(counted: str) -> bool:
    """Whether a host was asked for URLs that `counted_as` counts so."""
    facts = facts_of(counted.partition(" ")[0])
    return facts is None or facts.asked


def describe_counted(counted: str) -> str:
    """What happened to URLs that `counted_as` counts together."""
    reason, _, status = counted.partition(" ")
    return describe(reason, status)


def _status(code: str) -> str:
    try:
        return f"{code} ({HTTPStatus(int(code)).phrase})"
    except ValueError:
        return code


class Refused(StrEnum):
    """Why a link on a page was not queued."""

    # The parser found no URL to fetch.
    INVALID = "invalid"
    OTHER_SCHEME = "other-scheme"
    SAME_PAGE = "same-page"
    TOO_MANY = "too-many"
    # Outside of the crawl's scope.
    SCHEME = "scheme"
    INCLUDE = "not-included"
    EXCLUDE = "excluded"
    SITE = "other-site"
    DEPTH = "too-deep"
    LENGTH = "url-too-long"
    PATH_DEPTH = "path-too-deep"
    REPEATED = "repeated-segments"
    ESCAPES = "escaped-again"
    FILE_TYPE = "file-type"
    PATTERN_LIMIT = "pattern-limit"
    HOSTS_PER_SITE = "hosts-per-site"
    # Into a trap, as the fetched pages show.
    NO_EFFECT = "known-by-another-url"
    LETTER_CASE = "known-in-other-letter-case"
    MIRROR = "mirror-host"
    FACETS = "facets"
    ALIKE = "pages-all-alike"
    ENDLESS = "endless"
    HIDDEN = "hidden"
    # Not wanted.
    NOFOLLOW = "nofollow"
    PAGE_NOFOLLOW = "page-nofollow"
    LOW_SCORE = "low-score"


LEFT_OUT: dict[str, str] = {
    Refused.INVALID: "not a valid URL",
    Refused.OTHER_SCHEME: "a URL with a scheme that is not fetched",
    Refused.SAME_PAGE: "a place on the same page",
    Refused.TOO_MANY: "beyond the links that are read of one page",
    Refused.SCHEME: "neither http nor https",
    Refused.INCLUDE: "a URL that matches no --include",
    Refused.EXCLUDE: "a URL that matches an --exclude",
    Refused.SITE: "a URL of another site, see --same-site",
    Refused.DEPTH: "further from a seed than --depth",
    Refused.LENGTH: "a URL that is too long",
    Refused.PATH_DEPTH: "a path of too many segments",
    Refused.REPEATED: "a path that repeats its segments",
    Refused.ESCAPES: "a URL that was escaped again and again",
    Refused.FILE_TYPE: "not a page by its file name, such as .jpg",
    Refused.PATTERN_LIMIT: "of a shape of which there are enough pages, see --pattern-limit",
    Refused.HOSTS_PER_SITE: "of a site of which there are enough hosts, see --hosts-per-site",
    Refused.NO_EFFECT: "another URL of a fetched page, by a parameter or a part of the path without effect",
    Refused.LETTER_CASE: "a fetched page in other letter case",
    Refused.MIRROR: "a page that was fetched from a mirror of its host",
    Refused.FACETS: "one more combination of filters",
    Refused.ALIKE: "found among look-alike pages that lead to more of them",
    Refused.ENDLESS: "of a section that goes on for ever, or holds no pages",
    Refused.HIDDEN: "hidden from readers and marked rel=nofollow: bait for crawlers",
    Refused.NOFOLLOW: "marked rel=nofollow, see --ignore-nofollow",
    Refused.PAGE_NOFOLLOW: "on a page that asks robots to follow none of its links, see --no-robots",
    Refused.LOW_SCORE: "not worth following, by its score",
}
"""Reason -> what it says of a link."""

_SCHEMES = (
    "about android-app blob callto chrome data facetime fax feed file ftp geo git gopher intent irc ircs itms"
    " javascript magnet mailto market news nntp rtsp sftp sip skype sms ssh steam tel telnet tg urn"
    " view-source viber webcal whatsapp ws wss xmpp"
)
SCHEMES = frozenset(_SCHEMES.split())
"""Schemes that are counted by name where a link has them; others are `other-scheme`."""


def describe_left_out(reason: str) -> str:
    """What a reason says of the links that were left out for it.

    >>> describe_left_out("mailto")
    'a mailto: link'
    """
    return LEFT_OUT.get(reason) or (f"a {reason}: link" if reason in SCHEMES else reason)
