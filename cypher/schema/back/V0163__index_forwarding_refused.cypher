// Without the index.
DROP INDEX forwarding_refused IF EXISTS
