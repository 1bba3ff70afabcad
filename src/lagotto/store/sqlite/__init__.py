"""The store on one machine: one SQLite file, written by one process, read by any number.

`store` is the write side, `reader` the read side. `links/` holds known links and the queue, `pages` and
`outcomes` concluded URLs, `learned` and `snapshots` what the strategy learned. `database`, `lock`,
`recovery`, `checkpoints` and `doctor` protect the file.
"""
