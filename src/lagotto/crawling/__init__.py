"""The crawl. The life of a link, and of the page that it may lead to:

- found on a page, `worker.step` scores it and `frontier.Scope` admits it; the next commit queues it;
- `frontier.Frontier` leases it when its host's turn has come and no better link of a ready host waits;
- `worker.visit` asks the host: for its address and robots.txt if need be, after which the link waits for the
  host's next turn, then for the page; a failure that may pass sends the link back to the queue until a time;
- `worker.conclude` makes an outcome of the answer: a page, a redirect, a duplicate or a failure;
- `worker.step` judges the page and scores its links, and `worker.memory` learns from it;
- `worker.worker` commits all that together, and repeats everything; what is not committed never happened;
- `rejudging` judges the page again when more is known, `revisit` visits it again when it may have changed.

`opening.Session` opens and closes a run of all this: `session.Crawl`, or `revisit.session.Revisiting`.
"""
