"""Crowded scenes drawn from a seed, with exact truth: what is where, what holds, and what may be asked.

`planning` decides, `truth` judges, `asking` asks, `drawing` draws, `making` writes folders. All but `making`'s files are
pure: the same family, seed and size give the same plan, and with the same libraries the same pixels.
"""

# Raised whenever a seed gives another plan or other pixels than before.
VERSION = 1
