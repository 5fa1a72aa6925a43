"""Commit events together with the notifications and runs that follow from them."""
