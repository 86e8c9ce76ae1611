"""A small game outside the product: what ``docs/games.md`` shows, and a check that nothing else is needed."""
