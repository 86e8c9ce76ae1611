"""What is made of answers: payments, risks, reviews, reasons, hints, puzzles, simulations, things to share."""
