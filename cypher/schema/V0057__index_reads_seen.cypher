// Who read a dataset between two times is found without going through all of its readers.
CREATE INDEX reads_seen IF NOT EXISTS FOR ()-[e:READS]-() ON (e.dataset_key, e.first_seen)
