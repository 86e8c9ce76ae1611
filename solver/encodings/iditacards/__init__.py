"""The fast encoding of one player's turns of Iditacards."""
