"""Whole races where places count, as plain functions over numbers: layout, bounds, supplies."""
