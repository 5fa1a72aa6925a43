// Tags may share a name again.
DROP CONSTRAINT unique_tag IF EXISTS
