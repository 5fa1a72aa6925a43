// Jobs by key, each with its attached tags and the facts of its declarations.
UNWIND $keys AS key
MATCH (j:Job {key: key})
RETURN j.key AS key,
       COLLECT { MATCH (j)-[:TAGGED]->(t:Tag) RETURN t.name } AS tags,
       COLLECT { MATCH (j)-[:HAS_DECLARATION]->(d:Declaration) RETURN d.facts } AS declared
ORDER BY key
