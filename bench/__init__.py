"""Measurements: ratios side by side in one run; results are kept in RESULTS.md."""
