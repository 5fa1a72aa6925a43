"""Answers to the questions of widgets and pages; no view knows where it is shown."""
