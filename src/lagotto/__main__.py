"""`python -m lagotto` is the same as `lagotto`."""

from lagotto.cli import main

main()
