"""The encoding of Trench Rescue: duels over rows of small integers."""
