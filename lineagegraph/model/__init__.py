"""Frozen values and enums that every layer shares; nothing here reads or writes anything."""
