"""The command `lagotto`, also as `python -m lagotto`: interrupted while it still loads, it just ends."""

import signal


def start() -> None:
    """Load the command line and run it."""
    # Until there is somebody to catch it, Ctrl-C must not become a traceback out of some import.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    from lagotto.cli import main

    signal.signal(signal.SIGINT, before)
    main()


if __name__ == "__main__":
    start()
