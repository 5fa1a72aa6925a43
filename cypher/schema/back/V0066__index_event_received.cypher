// Without the index.
DROP INDEX event_received IF EXISTS
