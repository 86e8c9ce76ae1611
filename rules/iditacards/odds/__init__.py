"""The chances of cards that take several turns: spots, nodes, sheets, bounds, the discard pile."""
