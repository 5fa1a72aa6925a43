// The times of day in which a firing may start; Java does not have all zones that Python has.
MATCH (:Firing {key: $key})<-[:FIRED]-(t:Trigger)-[:LIMITED_BY]->(k:Constraint {kind: 'time_range'})
RETURN k.start AS start, k.end AS end, k.zone AS zone, k.otherwise AS otherwise,
  coalesce($now, datetime.realtime()) AS now
