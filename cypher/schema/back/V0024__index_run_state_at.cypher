// Without the index.
DROP INDEX run_state_at IF EXISTS
