// Without the index.
DROP INDEX forwarding_waiting IF EXISTS
