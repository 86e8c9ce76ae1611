"""Questions whose deck is hidden: exact values, chances of risk cards, and the rollout policy."""
