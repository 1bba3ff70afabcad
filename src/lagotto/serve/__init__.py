"""What every server of crawls needs, whatever it speaks.

`folder` says which crawls there are, `access` who may ask, `permissions` what requests may set, `new_crawl`
and `starting` begin crawls as processes of their own, `jobs` does what takes long, `listening` runs it all.
"""
