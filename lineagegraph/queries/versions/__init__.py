"""Read models of versions, the as-was view and diffs."""
