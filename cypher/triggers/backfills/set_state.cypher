// Pause, resume or cancel a backfill; after a resume, earlier failures do not count.
MATCH (b:Backfill {id: $id})
SET b.state = $state,
    b.reason = $reason,
    b.forgiven = CASE $state WHEN 'RUNNING' THEN b.failures ELSE b.forgiven END,
    b.ended_at = CASE $state WHEN 'CANCELLED' THEN coalesce($now, datetime.realtime()) END
