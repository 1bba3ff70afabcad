"""Starting Ray on this machine, or reaching one that runs."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lagotto.base.errors import InputError

LOOPBACK = "127.0.0.1"
AUTO = "auto"
REMOTE = "ray://"
_ADDRESS = "RAY_ADDRESS"
"""Variable by which Ray tells a job where its cluster is."""
_MANY_MACHINES = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Variable by which Ray's processes know whether others reach them from outside. Without it they find out the
machine's address by a socket to 8.8.8.8, and listen on all addresses, whatever `ray.init` is given."""
_PASSED_ON = "LAGOTTO_"
"""Environment variables that begin like this are given to workers on other machines."""
TOKEN_HINT = (
    "; check the address and, if the cluster has a token, that it is in ~/.ray/auth_token and that "
    "RAY_AUTH_MODE=token is set"
)


def check_cluster(cluster: str) -> None:
    """Raise unless it is a number of workers, `auto` or the address of a Ray cluster."""
    if cluster != AUTO and not cluster.startswith(REMOTE) and not (cluster.isdecimal() and int(cluster)):
        raise InputError(
            f"--cluster cannot be '{cluster}'; give a number of workers, auto, or ray://HOST:PORT"
        )


@contextmanager
def ray_running(cluster: str) -> Iterator[int]:
    """Have Ray run; gives the number of workers that there may be at most, if cores are free.

    `cluster` is the address of a Ray cluster, or `auto`, which takes the cluster that this process is a job
    of, if it is one. A Ray that is started here listens on loopback only, and ends with this process.
    """
    address = cluster if cluster.startswith(REMOTE) else os.environ.get(_ADDRESS, "")
    if not address:
        os.environ[_MANY_MACHINES] = "0"  # Read when Ray is imported.
    ray = import_ray()
    try:
        if address:
            passed_on = {name: text for name, text in os.environ.items() if name.startswith(_PASSED_ON)}
            ray.init(address, runtime_env={"env_vars": passed_on})
            most = sys.maxsize  # Nodes come and go; it is the free cores that count.
        else:
            most = os.cpu_count() or 1
            _start_here(ray, most)
    except Exception as error:  # It raises whatever went wrong in its processes.
        where = f"reached at {address}" if address else "started"
        hint = TOKEN_HINT if address else ""
        raise InputError(f"Ray cannot be {where}: {_first_line(error)}{hint}") from error
    try:
        yield most
    finally:
        ray.shutdown()


def _start_here(ray: Any, cpus: int) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(
        address="local",
        num_cpus=cpus,
        include_dashboard=False,
        _node_ip_address=LOOPBACK,
        log_to_driver=False,
        logging_level=logging.ERROR,
    )


def import_ray() -> Any:
    """The module `ray`."""
    try:
        import ray
    except ImportError:
        raise InputError(
            "--cluster auto and ray://... need Ray; in the checkout, install it with "
            "`pip install '.[cluster,ray]'`, or give a number of workers, which needs none"
        ) from None
    return ray


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
