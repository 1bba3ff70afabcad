"""Reading a crawl, also while it runs; nothing here changes one.

`export` writes it in other formats, `search` finds pages by words, `subtopics` sorts the pages on topic into
groups with names, `report` tells on one page what was asked and found, and `explain` why a URL is here.
"""
