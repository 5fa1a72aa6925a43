// The jobs that were left empty while a mute or a wait held them, and that none holds any more.
MATCH (j:Job)
WHERE j.spared = true
  AND NOT EXISTS { (j)<-[:MUTES]-(m:Mute) WHERE m.expires_at > datetime.realtime() }
  AND NOT EXISTS { (j)<-[w:WAITS_ON]-(:Run) WHERE w.next_at IS NOT NULL OR w.outcome IS NOT NULL }
RETURN j.key AS key
ORDER BY key
LIMIT $limit
