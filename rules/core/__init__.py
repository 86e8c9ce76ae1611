"""What every game shares: states, steps, chance, positions, rulesets and the errors about them."""
