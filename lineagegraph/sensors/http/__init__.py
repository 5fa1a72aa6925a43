"""Asking over HTTP, within what the policy allows."""
