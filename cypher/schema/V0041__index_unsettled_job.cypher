// Jobs that are still to be settled are found at once.
CREATE INDEX unsettled_job IF NOT EXISTS FOR (n:Job) ON (n.unsettled)
