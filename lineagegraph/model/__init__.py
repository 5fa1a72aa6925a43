"""Frozen values and enums that all layers share; nothing here does I/O."""
