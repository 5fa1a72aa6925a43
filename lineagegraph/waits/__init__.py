"""Waits for sensors: begin, settle and end them."""
