"""Rulesets audited for strategies that break a game: one finder a module, over the protocol of games alone."""
