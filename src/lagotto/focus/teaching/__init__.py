"""Teaching: people and language models say of single pages whether they are on topic.

`schedule` spreads the questions over a crawl, `during` chooses pages and sends the answers, `question` writes
the question for a model with the page fenced off, and `teacher` sends it. An answer becomes a mark, which a
crawl takes up like any other command.
"""

from lagotto.focus.teaching.during import Questions, Said, Schedule, by_teacher, choose_pages
from lagotto.focus.teaching.question import PageText
from lagotto.focus.teaching.teacher import Teacher, TeacherReport, Verdict

__all__ = [
    "PageText",
    "Questions",
    "Said",
    "Schedule",
    "Teacher",
    "TeacherReport",
    "Verdict",
    "by_teacher",
    "choose_pages",
]
