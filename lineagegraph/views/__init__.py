"""Answers to the questions of widgets and web pages."""
