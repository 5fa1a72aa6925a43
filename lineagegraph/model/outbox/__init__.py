"""Notification routes and forwarding targets, as given in the settings."""
