// Detach tags that only an import attached.
MATCH (t:Tag)<-[tagged:TAGGED {import_id: $import_id}]-()
WITH t, tagged LIMIT $limit
// Who attaches the tag has this lock, and makes the relationship no import's. Its own lock lets its
// property be read again.
SET t.locked = true
REMOVE t.locked
SET tagged.locked = true
REMOVE tagged.locked
WITH tagged
CALL (tagged) {
  WITH tagged WHERE tagged.import_id = $import_id
  DELETE tagged
}
RETURN count(*) AS done
