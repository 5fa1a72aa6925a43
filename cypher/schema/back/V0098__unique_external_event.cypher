// Without it.
DROP CONSTRAINT unique_external_event IF EXISTS
