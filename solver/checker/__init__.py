"""The independent checker: it knows the rules core, the games and the goal, and nothing of any search or model."""
