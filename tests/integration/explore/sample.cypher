// Two pipelines with their tasks, Spark applications and actions; data, columns, runs and a trigger.
UNWIND [
  ['nyc.load', 'nyc.load', 'nyc.load', 'pipeline', null],
  ['nyc.load.flights', 'nyc.load.flights', 'flights', 'task', 'nyc.load'],
  ['nyc.load.flights.app', 'app', 'app', 'application', 'nyc.load.flights'],
  ['nyc.load.flights.app.save', 'app.save', 'save', 'action', 'nyc.load.flights.app'],
  ['nyc.delays', 'nyc.delays', 'nyc.delays', 'pipeline', null],
  ['nyc.delays.clean', 'nyc.delays.clean', 'clean', 'task', 'nyc.delays'],
  ['nyc.delays.clean.app', 'app', 'app', 'application', 'nyc.delays.clean'],
  ['nyc.delays.clean.app.save', 'app.save', 'save', 'action', 'nyc.delays.clean.app'],
  ['nyc.delays.daily', 'nyc.delays.daily', 'daily', 'task', 'nyc.delays'],
  ['nyc.delays.daily.app', 'app', 'app', 'application', 'nyc.delays.daily'],
  ['nyc.delays.daily.app.save', 'app.save', 'save', 'action', 'nyc.delays.daily.app'],
  ['upsert', 'upsert', 'upsert', 'external', null]
] AS row
CREATE (j:Job {key: 'k:' + row[0], namespace: 'default', fqn: row[0], name: row[1],
               simple_name: row[2], kind: row[3], stub: false})
WITH collect([row[4], j]) AS jobs
UNWIND jobs AS child
MATCH (parent:Job {fqn: child[0]})
WITH jobs, parent, child[1] AS j
CREATE (parent)-[:PARENT_OF]->(j)
WITH DISTINCT jobs
UNWIND [
  ['file', '/raw/flights.csv', ['month', 'dep_delay', 'carrier', 'note']],
  ['s3://lake:9000', 'flights', ['month', 'dep_delay', 'carrier']],
  ['s3://lake:9000', 'clean', ['month', 'delay', 'carrier']],
  ['file', '/gold/daily', ['carrier', 'mean_delay']],
  ['file', '/ref/state', ['id']]
] AS row
CREATE (d:Dataset {key: 'd:' + row[1], namespace: row[0], name: row[1],
                   schema_at: datetime('2024-01-02T00:00:00Z')})
WITH row, d
UNWIND range(0, size(row[2]) - 1) AS ordinal
CREATE (d)-[:HAS_FIELD]->(:Field {key: 'f:' + row[1] + '#' + row[2][ordinal], dataset: d.key,
        name: row[2][ordinal], type: 'string', ordinal: ordinal, current: true})
WITH DISTINCT 1 AS one
MATCH (d:Dataset {name: '/raw/flights.csv'})
CREATE (d)-[:HAS_FIELD]->(:Field {key: 'f:gone', dataset: d.key, name: 'gone', type: 'string',
        current: false})
WITH one
UNWIND [
  ['/raw/flights.csv', 'nyc.load.flights.app.save', 'flights'],
  ['flights', 'nyc.delays.clean.app.save', 'clean'],
  ['clean', 'nyc.delays.daily.app.save', '/gold/daily'],
  ['/ref/state', 'upsert', '/ref/state']
] AS row
MATCH (source:Dataset {name: row[0]}), (j:Job {fqn: row[1]}), (target:Dataset {name: row[2]})
CREATE (source)-[:FEEDS {runs: 2, first_seen: datetime('2024-01-01T00:00:00Z'),
                         last_seen: datetime('2024-01-02T00:00:00Z')}]->(j)
CREATE (j)-[:PRODUCES {runs: 2, first_seen: datetime('2024-01-01T00:00:00Z'),
                       last_seen: datetime('2024-01-02T00:00:00Z')}]->(target)
WITH DISTINCT 1 AS one
UNWIND [
  ['flights#month', '/raw/flights.csv#month', 'nyc.load.flights.app.save', 'DIRECT', 'TRANSFORMATION'],
  ['flights#dep_delay', '/raw/flights.csv#dep_delay', 'nyc.load.flights.app.save', 'DIRECT', 'TRANSFORMATION'],
  ['flights#carrier', '/raw/flights.csv#carrier', 'nyc.load.flights.app.save', 'DIRECT', 'IDENTITY'],
  ['clean#delay', 'flights#dep_delay', 'nyc.delays.clean.app.save', 'DIRECT', 'TRANSFORMATION'],
  ['clean#month', 'flights#month', 'nyc.delays.clean.app.save', 'DIRECT', 'IDENTITY'],
  ['clean#carrier', 'flights#carrier', 'nyc.delays.clean.app.save', 'DIRECT', null],
  ['/gold/daily#mean_delay', 'clean#delay', 'nyc.delays.daily.app.save', 'DIRECT', 'AGGREGATION'],
  ['/gold/daily#carrier', 'clean#carrier', 'nyc.delays.daily.app.save', 'DIRECT', 'IDENTITY'],
  ['/gold/daily#mean_delay', 'clean#carrier', 'nyc.delays.daily.app.save', 'INDIRECT', 'GROUP_BY']
] AS row
MATCH (f:Field {key: 'f:' + row[0]}), (source:Field {key: 'f:' + row[1]})
CREATE (f)-[:DERIVED_FROM {
  job_key: 'k:' + row[2], type: row[3], subtype: row[4],
  first_seen: datetime('2024-01-01T00:00Z'), last_seen: datetime('2024-01-05T00:00Z')
}]->(source)
WITH DISTINCT 1 AS one
UNWIND range(1, 3) AS day
UNWIND [['', 0], ['.clean', 6], ['.daily', 7]] AS part
MATCH (j:Job {fqn: 'nyc.delays' + part[0]})
CREATE (j)-[:HAS_RUN]->(:Run {id: '0000000' + day + '-0000-7000-8000-00000000000' + part[1],
  namespace: 'default', name: j.name, job_key: j.key, kind: j.kind, attempt: 1, version: 'abc123',
  state: CASE WHEN day = 3 THEN 'FAILED' ELSE 'COMPLETED' END,
  reason: CASE WHEN day = 3 THEN 'user code' END, error: CASE WHEN day = 3 THEN 'ValueError: [red]no[/red]' END,
  params: '{"month":' + day + '}', emitted: '{"rows":42}',
  created_at: datetime('2024-01-01T00:00:00Z') + duration({days: day}),
  started_at: datetime('2024-01-01T00:00:01Z') + duration({days: day, seconds: part[1]}),
  ended_at: datetime('2024-01-01T00:01:00Z') + duration({days: day})})
WITH DISTINCT 1 AS one
MATCH (:Job {fqn: 'nyc.delays'})-[:HAS_RUN]->(parent:Run), (:Job {kind: 'task'})-[:HAS_RUN]->(r:Run)
WHERE left(r.id, 8) = left(parent.id, 8)
CREATE (parent)-[:PARENT_OF]->(r)
WITH DISTINCT 1 AS one
CREATE (load:Run {id: '0000000a-0000-7000-8000-000000000000', name: 'nyc.load', job_key: 'k:nyc.load',
        kind: 'pipeline', state: 'COMPLETED', created_at: datetime('2024-01-01T12:00:00Z'),
        ended_at: datetime('2024-01-01T13:00:00Z')})
WITH load
MATCH (j:Job {fqn: 'nyc.load'}), (delays:Job {fqn: 'nyc.delays'}),
      (r:Run {id: '00000001-0000-7000-8000-000000000000'}),
      (clean:Run {id: '00000001-0000-7000-8000-000000000006'}),
      (source:Dataset {name: 'flights'}), (target:Dataset {name: 'clean'})
CREATE (j)-[:HAS_RUN]->(load),
       (clean)-[:READS {row_count: 336776, size: 1000, file_count: 4, partitions: '["month=1"]'}]->(source),
       (clean)-[:WRITES {row_count: 327346, size: 900}]->
         (version:DatasetVersion {key: 'v1', dataset_key: 'd:clean', version: '7',
                   written_at: datetime('2024-01-02T00:01:00Z')}),
       (target)-[:HAS_VERSION]->(version),
       (t:Trigger {id: 't1', name: 'after load', enabled: true, generation: 1, pick: 'first',
                   created_at: datetime('2024-01-01T00:00:00Z')})-[:STARTS]->(delays),
       (t)-[:WHEN]->(both:Condition {id: 'c0', operator: 'AND', height: 1, need: 2, windowed: false,
                   text: 'nyc.load COMPLETED and time of 0 6 * * *'}),
       (both)-[:OPERAND {position: 0}]->(status:Condition {id: 'c1', operator: 'STATUS', height: 0,
                   need: 1, windowed: false, statuses: ['COMPLETED'],
                   text: 'nyc.load COMPLETED'})-[:WATCHES]->(j),
       (both)-[:OPERAND {position: 1}]->(cron:Condition {id: 'c2', operator: 'CRON', height: 0,
                   need: 1, windowed: false, cron: '0 6 * * *', zone: 'UTC',
                   text: 'time of 0 6 * * *'}),
       (t)-[:HAS_CONDITION]->(both), (t)-[:HAS_CONDITION]->(status), (t)-[:HAS_CONDITION]->(cron),
       (t)-[:HAS_CELL]->(cell:Cell {id: 't1', generation: 1}),
       (cell)-[:HOLDS {key: 'c1 x COMPLETED', condition_id: 'c1', status: 'COMPLETED',
                   occurred_at: datetime('2024-01-03T00:00:00Z')}]->(load),
       (t)-[:FIRED]->(f:Firing {key: 't1/1', generation: 1, state: 'LAUNCHED',
                   fired_at: datetime('2024-01-01T13:00:01Z'), reason: 'nyc.load COMPLETED and time of 0 6 * * *'}),
       (f)-[:CONSUMED]->(load), (f)-[:CONSUMED]->(cron), (f)-[:STARTED]->(r)
