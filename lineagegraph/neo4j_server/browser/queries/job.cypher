// A job with its parent, children, data and triggers.
MATCH (j:Job {key: $key})
OPTIONAL MATCH path = (j)-[:PARENT_OF|FEEDS|PRODUCES|STARTS|DEPENDS_ON]-()
RETURN j, path
LIMIT 200
