"""Read models of triggers, firings, schedules and backfills."""
