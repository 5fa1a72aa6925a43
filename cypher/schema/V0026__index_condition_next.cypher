// Cron conditions that are due are found without reading the others.
CREATE INDEX condition_next IF NOT EXISTS FOR (n:Condition) ON (n.next_at)
