"""Triggers: write rules, evaluate them and start the runs they fire."""
