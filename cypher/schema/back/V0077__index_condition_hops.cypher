// Without it.
DROP INDEX condition_hops IF EXISTS
