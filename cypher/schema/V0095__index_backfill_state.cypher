// Backfills in progress are found without reading the others.
CREATE INDEX backfill_state IF NOT EXISTS FOR (n:Backfill) ON (n.state)
