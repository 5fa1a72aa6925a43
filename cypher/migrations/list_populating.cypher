// The indexes that are not filled yet.
SHOW INDEXES YIELD name, state WHERE state = 'POPULATING'
RETURN name
ORDER BY name
