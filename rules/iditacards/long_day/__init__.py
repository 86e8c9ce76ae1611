"""An open day as plain functions over numbers, for the compiled search of long days."""
