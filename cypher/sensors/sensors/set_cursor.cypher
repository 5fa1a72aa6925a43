// Set or clear the cursor of a sensor by hand; answers to pokes of before do not count any more.
MATCH (s:Sensor {id: $id})
SET s.cursor = $cursor, s.cursor_number = coalesce(s.cursor_number, 0) + 1,
    s.cursor_at = CASE WHEN $cursor IS NOT NULL THEN coalesce($now, datetime.realtime()) END,
    // One that only past waits need stays so.
    s.touched_at = CASE WHEN s.touched_at IS NOT NULL THEN coalesce($now, datetime.realtime()) END
