// Every partition has its own number in its backfill.
CREATE CONSTRAINT unique_backfill_partition IF NOT EXISTS FOR (n:BackfillPartition) REQUIRE (n.backfill_id, n.number) IS UNIQUE
