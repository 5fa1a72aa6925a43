// Data sources may share a name again.
DROP CONSTRAINT unique_data_source IF EXISTS
