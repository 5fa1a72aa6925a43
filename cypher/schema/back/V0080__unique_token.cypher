// Tokens may share a name again.
DROP CONSTRAINT unique_token IF EXISTS
