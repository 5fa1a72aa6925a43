// Entries of the skip list may share an id again.
DROP CONSTRAINT unique_skip IF EXISTS
