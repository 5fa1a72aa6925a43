// Take off the tags that an import attached and nobody has attached since.
MATCH (:Tag)<-[tagged:TAGGED {import_id: $import_id}]-()
WITH tagged LIMIT $limit
DELETE tagged
RETURN count(*) AS done
