// Set the latest verdict of each assertion of datasets; assertions without any are deleted.
UNWIND $keys AS key
MATCH (d:Dataset {key: key})-[h:HAS_ASSERTION]->(a:Assertion)
CALL (h, a) {
  OPTIONAL MATCH (r:Run)-[j:JUDGED]->(a)
  WITH h, j, r ORDER BY j.at DESC, j.rank DESC, r.id LIMIT 1
  // Of two verdicts of one time the worse counts.
  RETURN
    CASE
      WHEN h.at IS NULL OR j.at > h.at OR j.at = h.at AND j.rank >= h.rank THEN j
      ELSE h
    END AS latest,
    CASE
      WHEN h.at IS NULL OR j.at > h.at OR j.at = h.at AND j.rank >= h.rank THEN r.id
    END AS run_id
}
SET a.verdict = latest.verdict, a.judged_at = latest.at, a.run_id = run_id,
    a.expected = latest.expected, a.actual = latest.actual
WITH a WHERE a.verdict IS NULL
DETACH DELETE a
