// Give the cursors of sensors to those that a trigger watches in their place.
//
// A sensor that another trigger watches has a cursor of its own already. Numbers only grow, so that
// no answer to a poke of before counts.
UNWIND $rows AS row
MATCH (old:Sensor {id: row.old_id}), (new:Sensor {id: row.new_id})
SET old.locked = true, new.locked = true
REMOVE old.locked, new.locked
WITH old, new, coalesce($now, datetime.realtime()) AS now
WHERE NOT EXISTS {
  (new)<-[:WATCHES]-(:Condition)<-[:HAS_CONDITION]-(t:Trigger) WHERE t.id <> $trigger_id
}
SET new.cursor = old.cursor, new.cursor_at = old.cursor_at,
    new.cursor_number = coalesce(new.cursor_number, 0) + 1, new.touched_at = now
WITH old WHERE NOT EXISTS { (old)<-[:WATCHES]-(:Condition) }
REMOVE old.cursor
