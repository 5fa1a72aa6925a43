// Some datasets, each with its attached tags, those of its columns too, and its facets of tags and owners.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
OPTIONAL MATCH (d)-[:HAS_FACET {name: 'tags'}]->(t:Facet)
WITH d, collect(t.body)[0] AS tags_facet
OPTIONAL MATCH (d)-[:HAS_FACET {name: 'ownership'}]->(o:Facet)
WITH d, tags_facet, collect(o.body)[0] AS ownership
RETURN d.key AS key, tags_facet, ownership,
       COLLECT { MATCH (d)-[:HAS_FIELD*0..1]->()-[:TAGGED]->(t:Tag) RETURN DISTINCT t.name } AS tags
