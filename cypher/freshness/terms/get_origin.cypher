// Whether the freshness terms of a job or dataset come from its definition, if it has any.
MATCH (t:Terms)
WHERE t.key IN [$key, 'stated:' + $key]
RETURN t.stated AS stated
ORDER BY stated
LIMIT 1
