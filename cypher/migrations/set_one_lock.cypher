// Make the lock on the schema unique.
CREATE CONSTRAINT one_schema_lock IF NOT EXISTS FOR (l:SchemaLock) REQUIRE l.name IS UNIQUE
