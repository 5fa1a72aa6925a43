// The schema has one lock.
CREATE CONSTRAINT one_schema_lock IF NOT EXISTS FOR (l:SchemaLock) REQUIRE l.name IS UNIQUE
