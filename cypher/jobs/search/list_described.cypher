// The jobs and datasets with words in their facets, by kind of facet.
CALL db.index.fulltext.queryNodes('facet_words', $words, {limit: 20 * $limit}) YIELD node AS f
MATCH (n:Job|Dataset)-[:HAS_FACET]->(f)
// Most facets may be those of runs alone: what is limited is what has a job or dataset.
WITH n.key AS key, f.name AS place
LIMIT $limit
RETURN key, place
ORDER BY key, place
