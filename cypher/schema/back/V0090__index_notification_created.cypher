// Without the index.
DROP INDEX notification_created IF EXISTS
