// Without the index.
DROP INDEX notification_next IF EXISTS
