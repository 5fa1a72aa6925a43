// Without the index.
DROP INDEX unnumbered_state_change IF EXISTS
