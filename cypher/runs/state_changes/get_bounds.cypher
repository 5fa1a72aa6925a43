// The range of state change numbers, the deleted ones, and whether some are unnumbered.
OPTIONAL MATCH (l:Lease {name: 'state-changes'})
RETURN
  coalesce(l.newest, 0) AS newest,
  coalesce(l.forgotten, 0) AS forgotten,
  EXISTS { (:StateChange {unnumbered: true}) } AS unsettled
