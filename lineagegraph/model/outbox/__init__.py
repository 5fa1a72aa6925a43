"""Notification routes and forwarding targets, as the settings list them."""
