// The indexes that are still being populated.
SHOW INDEXES YIELD name, state WHERE state = 'POPULATING'
RETURN name
ORDER BY name
