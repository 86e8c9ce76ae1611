"""The random numbers that programs which play by the rules alone deal with; ``scripts`` has them with the rest."""

from rules.core.scripts import SplitMix64

__all__ = ["SplitMix64"]
