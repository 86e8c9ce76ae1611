"""A day with an open deck as packed integers: boards, plays and costs asked of the rules once."""
