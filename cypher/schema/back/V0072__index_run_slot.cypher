// Without it.
DROP INDEX run_slot IF EXISTS
