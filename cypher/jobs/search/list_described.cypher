// The jobs and datasets with words in their facets, by kind of facet.
CALL db.index.fulltext.queryNodes('facet_words', $words, {limit: $limit}) YIELD node AS f
MATCH (n:Job|Dataset)-[:HAS_FACET]->(f)
RETURN n.key AS key, f.name AS place
ORDER BY key, place
