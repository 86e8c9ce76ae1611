"""Whole races on a bare track as plain functions over numbers, with their bounds."""
