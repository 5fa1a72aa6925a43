// Every backfill has its own id.
CREATE CONSTRAINT unique_backfill IF NOT EXISTS FOR (n:Backfill) REQUIRE n.id IS UNIQUE
