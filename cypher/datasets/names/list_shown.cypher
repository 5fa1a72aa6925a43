// The datasets with several names among these keys, each with the one that stands for all its names.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})
WHERE d.same_as IS NOT NULL
RETURN key, d.same_as AS shown
ORDER BY key
