// Without the index.
DROP INDEX event_time IF EXISTS
