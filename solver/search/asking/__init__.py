"""Search of days of which the facts are asked for when it comes upon them."""
