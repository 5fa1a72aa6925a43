// Release the lock on the schema if this process holds it.
MATCH (l:SchemaLock {name: 'schema', owner: $owner})
DELETE l
