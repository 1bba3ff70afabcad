"""What a user said about single hosts: blocked, preferred, limited."""

from __future__ import annotations

from math import inf

from msgspec import Struct, field


class HostRules(Struct):
    """Rules by host and port, as politeness sees them; they may change while the crawl runs."""

    blocked: set[str] = field(default_factory=set)
    boosts: dict[str, float] = field(default_factory=dict)
    """Host -> amount added to its link scores when hosts are compared."""
    limits: dict[str, int] = field(default_factory=dict)
    """Host -> pages at most, in place of the limit for all hosts."""

    def block(self, host: str, *, blocked: bool = True) -> None:
        """Ask the host no more, or again."""
        (self.blocked.add if blocked else self.blocked.discard)(host)

    def boost(self, host: str, amount: float) -> None:
        """Prefer the host, or with a negative amount the others; 0 takes that back."""
        self.boosts.pop(host, None)
        if amount:
            self.boosts[host] = amount

    def limit(self, host: str, pages: int) -> None:
        """Fetch at most so many pages of the host; 0 takes that back."""
        self.limits.pop(host, None)
        if pages:
            self.limits[host] = pages

    def pages_at_most(self, host: str, usual: float) -> float:
        """Pages that the host may give, where `usual` holds for all others; 0 there means no limit."""
        if host in self.blocked:
            return 0
        return self.limits.get(host, usual or inf)

    def sentences(self, host: str) -> list[str]:
        """The rules that concern a host, for a person."""
        said = ["blocked"] if host in self.blocked else []
        if host in self.boosts:
            said.append(f"link scores {self.boosts[host]:+g}")
        if host in self.limits:
            said.append(f"at most {self.limits[host]} pages")
        return said
