// Without the index.
DROP INDEX firing_untold IF EXISTS
