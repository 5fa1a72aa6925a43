"""The web page at `/`: its files, and the answers to its views."""
