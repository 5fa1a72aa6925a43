// Detach a tag from the job, dataset or column of a key; the tag itself stays.
MATCH (:Tag {name: $name})<-[tagged:TAGGED]-(n:Job|Dataset|Field)
WHERE n.key = $key
DELETE tagged
