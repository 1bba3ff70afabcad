"""Sorting the pages of a harvest into subtopics with names.

The life of a subtopic: pages are freed of the lines that they share (`furniture`), become vectors (`space`),
fall into communities, of which there are so many (`communities`), and are sorted into as many groups
(`clustering`). Each group gets a name from the phrases of its pages (`phrases`, `naming`). Later pages join
the groups that there are (`sorting`); when groups are made again, those that go on keep their id and name
(`matching`). `saved` keeps them in the crawl's folder, and `subtopics` shows them.
"""

from __future__ import annotations

from lagotto.harvest.subtopics.subtopics import Subtopic, Subtopics, TypicalPage, subtopics, subtopics_of

__all__ = ["Subtopic", "Subtopics", "TypicalPage", "subtopics", "subtopics_of"]
