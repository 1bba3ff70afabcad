"""Python runs this when it starts: a worker process of Ray says in its requests which one it is."""

import random
import sys

if any("default_worker" in argument for argument in sys.orig_argv):
    from tests.cluster_worker import name_in_requests

    name_in_requests(random.getrandbits(48))
