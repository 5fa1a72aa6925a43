// Watch a tag, or end that; what its values reach is forgotten with it.
MATCH (t:Tag {name: $name})
SET t.watched_since = CASE WHEN $watched THEN coalesce(t.watched_since, $now, datetime.realtime()) END
WITH t WHERE NOT $watched
MATCH (t)-[known:REACHES]->(:Field)
DELETE known
