// Do without the index of triggers' names.
DROP INDEX trigger_name IF EXISTS
