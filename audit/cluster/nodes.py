"""A Ray cluster of several nodes on this machine, each with its own network, file system and processes.

Run by `tests.crawling.cluster.apart`. The nodes hang on a bridge, at the other end of which are
the site and the database:

    head 10.77.0.10    node 10.77.0.11    node 10.77.0.12    …
         +------------------+-----------------+---- bridge 10.77.0.1: PostgreSQL, the site at 10.77.1.N
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from tests.conftest import PROJECT

HUB = "10.77.0.1"
HEAD = "10.77.0.10"
SITE = [f"10.77.1.{n}" for n in range(1, 25)]
NETWORK = "10.77.0.0/16"
_START = """
ip link set lo up
mkdir -p /tmp/ray && mount --bind {files} /tmp/ray
until ip -4 addr show eth0 2>/dev/null | grep -q inet; do sleep 0.1; done
until {ray} start --node-ip-address={address} --block --disable-usage-stats \\
    --object-store-memory=100000000 {how}; do sleep 1; done
"""


def run(*command: str) -> None:
    """Run a command that must succeed."""
    subprocess.run(command, check=True)


def lay_bridge() -> None:
    """Make the bridge, with the addresses of the site."""
    run("ip", "link", "add", "br0", "type", "bridge")
    for address in (HUB, *SITE):
        run("ip", "addr", "add", f"{address}/16", "dev", "br0")
    run("ip", "link", "set", "br0", "up")


class Node:
    """A machine with Ray on it. To kill it is to switch it off: nobody is told."""

    def __init__(self, number: int, folder: Path, *, cpus: int) -> None:
        folder.mkdir()
        self.address = f"10.77.0.{number}"
        how = f"--num-cpus={cpus} " + (
            "--head --port=6379 --ray-client-server-port=10001 --include-dashboard=false"
            if self.address == HEAD
            else f"--address={HEAD}:6379"
        )
        script = _START.format(
            ray=Path(sys.executable).with_name("ray"), address=self.address, files=folder, how=how
        )
        apart = ("--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--uts")
        with Path(f"{folder}.log").open("wb") as file:
            self._outside = subprocess.Popen(
                ["unshare", *apart, "sh", "-c", script], stdout=file, stderr=file, env=_environment()
            )
        self._join(f"v{number}")

    def _join(self, cable: str) -> None:
        """Lay a cable from the bridge into the node's network, once it has one."""
        pid = self._outside.pid
        while os.readlink(f"/proc/{pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.05)
        run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        run("ip", "link", "set", cable, "master", "br0", "up")
        within = ("nsenter", "-t", str(pid), "-n", "ip")
        run(*within, "link", "set", "eth0", "up")
        run(*within, "addr", "add", f"{self.address}/16", "dev", "eth0")

    @property
    def processes(self) -> dict[int, str]:
        """All processes of the node, with their command lines; numbered as seen from outside."""
        found, waiting = {}, [self._outside.pid]
        while waiting:
            pid = waiting.pop()
            with suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    waiting += map(int, (task / "children").read_text().split())
                line = Path(f"/proc/{pid}/cmdline").read_bytes()
                found[pid] = line.replace(b"\0", b" ").decode(errors="replace")
        return found

    @property
    def first(self) -> int:
        """The first process of the node, which is in all its namespaces."""
        pid = self._outside.pid
        return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])

    @property
    def workers(self) -> list[int]:
        """Processes that are workers of a crawl."""
        return [pid for pid, line in self.processes.items() if line.startswith("ray::CrawlWorker")]

    @property
    def alive(self) -> bool:
        """Whether it was not killed."""
        return self._outside.poll() is None

    def kill(self) -> None:
        """Kill -9 of everything on the node at once."""
        self._outside.send_signal(signal.SIGKILL)
        self._outside.wait()


def _environment() -> dict[str, str]:
    """That of all nodes: workers of the crawl name themselves in their requests."""
    names = str(Path(__file__).parent / "named")
    return {**os.environ, "PYTHONPATH": f"{names}:{PROJECT}"}
