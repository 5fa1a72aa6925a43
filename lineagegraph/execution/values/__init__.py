"""Values between tasks: what a function returns, and what another takes."""
