"""Answers with proofs: search and models over the rules core, reports, certificates and words."""
