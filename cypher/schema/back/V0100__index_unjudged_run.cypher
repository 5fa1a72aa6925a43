// Without it.
DROP INDEX unjudged_run IF EXISTS
