// A job: what it is part of and made of, what it reads and writes, and what starts it.
MATCH (j:Job {key: $key})
OPTIONAL MATCH path = (j)-[:PARENT_OF|FEEDS|PRODUCES|STARTS|DEPENDS_ON]-()
RETURN j, path
LIMIT 200
