"""CP-SAT models: each knows the shape of a decision, and takes every number from facts."""
