// Variables may share a name again.
DROP CONSTRAINT unique_variable IF EXISTS
