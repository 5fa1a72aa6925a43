// Count the events of each type in time spans, in the order of the spans.
UNWIND $rows AS row
CALL (row) {
  MATCH (e:Event)
  WHERE e.event_time >= row.begin AND e.event_time < row.end
  RETURN
    count(CASE e.event_type WHEN 'START' THEN 1 END) AS start,
    count(CASE e.event_type WHEN 'COMPLETE' THEN 1 END) AS complete,
    count(CASE e.event_type WHEN 'FAIL' THEN 1 END) AS fail,
    count(CASE e.event_type WHEN 'ABORT' THEN 1 END) AS abort
}
RETURN start, complete, fail, abort
ORDER BY row.begin
