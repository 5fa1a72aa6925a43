// Runs whose children are still to be moved are found at once.
CREATE INDEX unsettled_run IF NOT EXISTS FOR (n:Run) ON (n.unsettled_after)
