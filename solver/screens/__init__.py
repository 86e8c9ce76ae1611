"""Answers as words, rows and JSON, each for its command; nothing is searched here."""
