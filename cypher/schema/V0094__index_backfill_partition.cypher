// The partitions of a backfill that are in one state are found without reading the others.
CREATE INDEX backfill_partition_state IF NOT EXISTS FOR (n:BackfillPartition) ON (n.backfill_id, n.state, n.number)
