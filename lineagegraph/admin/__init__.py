"""Changes that administrators make: skips, variables, tokens, tags, retention, imports."""
