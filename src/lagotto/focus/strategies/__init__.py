"""The strategies: which page is relevant, and which link is fetched next.

The life of a page here: judged -> its links scored -> committed with a sample -> the sample learned, after
which links that are queued may be scored again. `base` has the contract, `scent` the default strategy; the
other modules each hold the strategy of one paper, `simple` those that learn nothing, `parts` what they share.
"""
