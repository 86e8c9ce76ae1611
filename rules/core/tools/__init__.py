"""What is made of rules besides play: chapters, JSON Schema, loosened rules."""
