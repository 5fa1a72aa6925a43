// Give the lock on the schema back, where it is still one's own.
MATCH (l:SchemaLock {name: 'schema', owner: $owner})
DELETE l
