// Without it.
DROP CONSTRAINT lease_name IF EXISTS
