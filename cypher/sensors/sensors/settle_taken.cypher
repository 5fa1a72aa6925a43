// Mark new and repeated waits of sensors as polled.
UNWIND $ids AS id
MATCH (s:Sensor {id: id}) WHERE s.is_untaken
REMOVE s.is_untaken
WITH id
MATCH (:Run)-[w:WAITS_ON]->(:Sensor)
WHERE w.open_on = id AND w.state IN ['smart_pending', 'up_for_retry']
SET w.locked = true
REMOVE w.locked
WITH w WHERE w.open_on IS NOT NULL AND w.state IN ['smart_pending', 'up_for_retry']
SET w.state = 'smart_running'
