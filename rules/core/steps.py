"""What programs that play by the rules alone need to read the steps of a turn; ``scripts`` has it with the rest."""

from rules.core.scripts import CHANCE, OVER, ChanceOutcome, Event, Forced, Move, Outcome, Step

__all__ = ["CHANCE", "OVER", "ChanceOutcome", "Event", "Forced", "Move", "Outcome", "Step"]
