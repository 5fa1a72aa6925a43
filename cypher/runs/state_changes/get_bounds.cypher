// How far the numbers of changes of state go, how many are forgotten, and whether some have none.
OPTIONAL MATCH (l:Lease {name: 'state-changes'})
RETURN
  coalesce(l.newest, 0) AS newest,
  coalesce(l.forgotten, 0) AS forgotten,
  EXISTS { (:StateChange {unnumbered: true}) } AS unsettled
