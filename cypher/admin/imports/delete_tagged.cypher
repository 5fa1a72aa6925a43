// Detach tags that only an import attached.
MATCH (:Tag)<-[tagged:TAGGED {import_id: $import_id}]-()
WITH tagged LIMIT $limit
DELETE tagged
RETURN count(*) AS done
