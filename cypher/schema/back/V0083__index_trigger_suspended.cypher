// Do without the index of when triggers were suspended.
DROP INDEX trigger_suspended IF EXISTS
