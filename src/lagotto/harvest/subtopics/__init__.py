"""Sorting the pages of a harvest into subtopics with names.

The life of a subtopic: pages are freed of the lines that they share and become vectors (`space`); these
fall into so many groups (`clustering`). Phrases of its pages (`phrases`) give each group a name (`naming`).
Later pages join the groups that there are (`sorting`), and groups that go on keep their id and name. `saved`
keeps all that in the crawl's folder, and `subtopics` shows it.
"""

from __future__ import annotations

from lagotto.harvest.subtopics.subtopics import Subtopic, Subtopics, TypicalPage, subtopics, subtopics_of

__all__ = ["Subtopic", "Subtopics", "TypicalPage", "subtopics", "subtopics_of"]
