// The schema of a new graph: the key of each label, and the indexes that queries rely on.

// Job
CREATE CONSTRAINT unique_job IF NOT EXISTS FOR (n:Job) REQUIRE n.key IS UNIQUE;
CREATE INDEX job_fqn IF NOT EXISTS FOR (n:Job) ON (n.namespace, n.fqn);
CREATE INDEX job_only_fqn IF NOT EXISTS FOR (n:Job) ON (n.fqn);
CREATE INDEX job_simple_name IF NOT EXISTS FOR (n:Job) ON (n.simple_name);
// The name that the producer uses, in any namespace.
CREATE INDEX job_name IF NOT EXISTS FOR (n:Job) ON (n.name);
CREATE INDEX job_application IF NOT EXISTS FOR (n:Job) ON (n.namespace, n.application);
// Jobs whose place in the hierarchy is still to be settled.
CREATE INDEX unsettled_job IF NOT EXISTS FOR (n:Job) ON (n.unsettled);
// Jobs with their own rule about silent runs.
CREATE INDEX silent_job IF NOT EXISTS FOR (n:Job) ON (n.silent_after);
// Jobs to delete once no mute or wait holds them.
CREATE INDEX spared_job IF NOT EXISTS FOR (n:Job) ON (n.spared);
// Jobs that were deleted, which are few.
CREATE INDEX hidden_job IF NOT EXISTS FOR (n:Job) ON (n.hidden_at);
CREATE INDEX job_shown_by IF NOT EXISTS FOR (n:Job) ON (n.shown_by);
CREATE INDEX dataset_shown_by IF NOT EXISTS FOR (n:Dataset) ON (n.shown_by);

// Alias: an earlier name of a job
CREATE CONSTRAINT unique_alias IF NOT EXISTS FOR (a:Alias) REQUIRE a.key IS UNIQUE;
CREATE INDEX alias_name IF NOT EXISTS FOR (n:Alias) ON (n.name);

// Run
CREATE CONSTRAINT unique_run IF NOT EXISTS FOR (n:Run) REQUIRE n.id IS UNIQUE;
CREATE INDEX run_created IF NOT EXISTS FOR (n:Run) ON (n.created_at);
CREATE INDEX run_job IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.created_at);
CREATE INDEX run_partition IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.partition, n.created_at);
CREATE INDEX run_version IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.job_version, n.created_at);
// The runs of streams, which have several versions.
CREATE INDEX run_streamed IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.stream_versions);
// The latest success of a job.
CREATE INDEX run_marked IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.marked_at);
CREATE INDEX run_success IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.state, n.ended_at);
// Runs in a state, and those that have it since a time.
CREATE INDEX run_state IF NOT EXISTS FOR (n:Run) ON (n.state, n.state_at);
// Runs that changed state since a time.
CREATE INDEX run_state_at IF NOT EXISTS FOR (n:Run) ON (n.state_at);
// Runs that wait for a worker or have one: all, and those of a job.
CREATE INDEX run_launch IF NOT EXISTS FOR (n:Run) ON (n.launch);
CREATE INDEX run_slot IF NOT EXISTS FOR (n:Run) ON (n.job_key, n.launch);
// Runs that triggers have not judged yet.
CREATE INDEX unjudged_run IF NOT EXISTS FOR (n:Run) ON (n.unjudged_since);
// Runs whose children are still to be moved in the hierarchy.
CREATE INDEX unsettled_run IF NOT EXISTS FOR (n:Run) ON (n.unsettled_after);
// Runs that are on a cycle of parents.
CREATE INDEX run_on_cycle IF NOT EXISTS FOR (n:Run) ON (n.on_cycle);
// Runs of other producers, by how long they have been silent.
CREATE INDEX awaited_run IF NOT EXISTS FOR (n:Run) ON (n.awaited_since);
// Runs whose lineage was not wholly understood.
CREATE INDEX incomplete_run IF NOT EXISTS FOR (n:Run) ON (n.completeness);
// Runs that retention is about to delete.
CREATE INDEX condemned_run IF NOT EXISTS FOR (n:Run) ON (n.condemned);
// Retention keeps the code, version and environment that a run is held to.
CREATE INDEX run_task_code IF NOT EXISTS FOR (n:Run) ON (n.task_code);
CREATE INDEX run_source IF NOT EXISTS FOR (n:Run) ON (n.source);
CREATE INDEX run_wanted_version IF NOT EXISTS FOR (n:Run) ON (n.wanted_version);
CREATE INDEX run_wanted_environment IF NOT EXISTS FOR (n:Run) ON (n.wanted_environment);

// StateChange: the stream of states is numbered without gaps
CREATE CONSTRAINT unique_state_change IF NOT EXISTS FOR (n:StateChange) REQUIRE n.number IS UNIQUE;
CREATE INDEX unnumbered_state_change IF NOT EXISTS FOR (n:StateChange) ON (n.unnumbered);

// Expansion, ExpandedTask: tasks that a run added
CREATE CONSTRAINT unique_expansion IF NOT EXISTS FOR (n:Expansion) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT unique_expanded_task IF NOT EXISTS FOR (n:ExpandedTask) REQUIRE n.key IS UNIQUE;

// Dataset, Field
CREATE CONSTRAINT unique_dataset IF NOT EXISTS FOR (n:Dataset) REQUIRE n.key IS UNIQUE;
CREATE INDEX dataset_name IF NOT EXISTS FOR (n:Dataset) ON (n.name);
CREATE INDEX dataset_namespace IF NOT EXISTS FOR (n:Dataset) ON (n.namespace, n.name);
// The datasets that are the same.
CREATE INDEX dataset_same IF NOT EXISTS FOR (n:Dataset) ON (n.same_as);
CREATE CONSTRAINT unique_field IF NOT EXISTS FOR (n:Field) REQUIRE n.key IS UNIQUE;
// The column lineage that a job does.
CREATE INDEX derived_job IF NOT EXISTS FOR ()-[r:DERIVED_FROM]-() ON (r.job_key);

// ColumnSet
CREATE CONSTRAINT unique_column_set IF NOT EXISTS FOR (n:ColumnSet) REQUIRE n.key IS UNIQUE;
CREATE INDEX column_set_job IF NOT EXISTS FOR (n:ColumnSet) ON (n.job_key);

// Assertion: a test of a dataset or of one of its columns
CREATE CONSTRAINT unique_assertion IF NOT EXISTS FOR (n:Assertion) REQUIRE n.key IS UNIQUE;

// DatasetVersion
CREATE CONSTRAINT unique_dataset_version IF NOT EXISTS FOR (n:DatasetVersion) REQUIRE n.key IS UNIQUE;
// The latest version of a dataset or of one of its partitions, and the version at a time.
CREATE INDEX version_written IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.written_at);
CREATE INDEX version_partition IF NOT EXISTS
FOR (n:DatasetVersion) ON (n.dataset_key, n.partition_key, n.written_at);
// The versions of streams that completed, which were read before that.
CREATE INDEX version_begun IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.begun_at);
// The version that a producer names.
CREATE INDEX version_named IF NOT EXISTS FOR (n:DatasetVersion) ON (n.dataset_key, n.version);
// The readers of a dataset between two times, among all of its readers.
CREATE INDEX reads_seen IF NOT EXISTS FOR ()-[e:READS]-() ON (e.dataset_key, e.first_seen);

// Namespace, DataSource, Tag, Declaration
CREATE CONSTRAINT unique_namespace IF NOT EXISTS FOR (n:Namespace) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_data_source IF NOT EXISTS FOR (n:DataSource) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_tag IF NOT EXISTS FOR (n:Tag) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_declaration IF NOT EXISTS FOR (n:Declaration) REQUIRE n.key IS UNIQUE;

// Event
CREATE CONSTRAINT unique_event IF NOT EXISTS FOR (n:Event) REQUIRE n.id IS UNIQUE;
CREATE INDEX event_time IF NOT EXISTS FOR (n:Event) ON (n.event_time);
CREATE INDEX event_received IF NOT EXISTS FOR (n:Event) ON (n.received_at);
CREATE INDEX event_judged IF NOT EXISTS FOR (n:Event) ON (n.judged_by);

// Facet: stored once for each content
CREATE CONSTRAINT unique_facet IF NOT EXISTS FOR (n:Facet) REQUIRE n.hash IS UNIQUE;
// The search of SQL, descriptions, owners, columns and tags.
CREATE FULLTEXT INDEX facet_words IF NOT EXISTS FOR (n:Facet) ON EACH [n.words]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'standard-no-stop-words'}};
// Facets whose event retention has deleted.
CREATE INDEX loose_facet IF NOT EXISTS FOR (n:Facet) ON (n.loose);

// Import: events taken over from another server
CREATE CONSTRAINT unique_import IF NOT EXISTS FOR (n:Import) REQUIRE n.id IS UNIQUE;

// DefinitionFile, DefinitionPath: the Python files of a host that declare pipelines
CREATE CONSTRAINT unique_definition_file IF NOT EXISTS FOR (n:DefinitionFile) REQUIRE n.key IS UNIQUE;
CREATE INDEX index_definition_file_place IF NOT EXISTS FOR (n:DefinitionFile) ON (n.host, n.file);
// Files that are to be read again.
CREATE INDEX index_definition_file_next IF NOT EXISTS FOR (n:DefinitionFile) ON (n.host, n.next_at);
CREATE CONSTRAINT unique_definition_path IF NOT EXISTS FOR (n:DefinitionPath) REQUIRE n.key IS UNIQUE;

// Versions of pipelines and their parts, and the code and environment they run with: by content
CREATE CONSTRAINT unique_job_version IF NOT EXISTS FOR (n:JobVersion) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT unique_task_version IF NOT EXISTS FOR (n:TaskVersion) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT unique_trigger_version IF NOT EXISTS FOR (n:TriggerVersion) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT unique_condition_version IF NOT EXISTS
FOR (n:ConditionVersion) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT unique_cluster_version IF NOT EXISTS FOR (n:ClusterVersion) REQUIRE n.hash IS UNIQUE;
CREATE CONSTRAINT unique_source IF NOT EXISTS FOR (n:Source) REQUIRE n.sha256 IS UNIQUE;
CREATE CONSTRAINT unique_task_code IF NOT EXISTS FOR (n:TaskCode) REQUIRE n.sha256 IS UNIQUE;
CREATE CONSTRAINT unique_environment IF NOT EXISTS FOR (n:Environment) REQUIRE n.sha256 IS UNIQUE;

// Trigger, Constraint
CREATE CONSTRAINT unique_trigger IF NOT EXISTS FOR (n:Trigger) REQUIRE n.id IS UNIQUE;
CREATE INDEX trigger_name IF NOT EXISTS FOR (n:Trigger) ON (n.name);
CREATE INDEX trigger_suspended IF NOT EXISTS FOR (n:Trigger) ON (n.suspended_at);
// Triggers whose conditions are to be reset.
CREATE INDEX trigger_reset IF NOT EXISTS FOR (n:Trigger) ON (n.reset_at);
CREATE CONSTRAINT unique_constraint IF NOT EXISTS FOR (n:Constraint) REQUIRE n.id IS UNIQUE;

// Condition
CREATE CONSTRAINT unique_condition IF NOT EXISTS FOR (n:Condition) REQUIRE n.id IS UNIQUE;
// Cron conditions that are due.
CREATE INDEX condition_next IF NOT EXISTS FOR (n:Condition) ON (n.next_at);
// Conditions on what feeds a job, and on events from outside.
CREATE INDEX condition_hops IF NOT EXISTS FOR (n:Condition) ON (n.hops);
CREATE INDEX condition_event IF NOT EXISTS FOR (n:Condition) ON (n.event);

// Cell, Evaluation, ExternalEvent: what conditions hold, and how they were judged
CREATE CONSTRAINT unique_cell IF NOT EXISTS FOR (n:Cell) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_evaluation IF NOT EXISTS FOR (n:Evaluation) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_external_event IF NOT EXISTS FOR (n:ExternalEvent) REQUIRE n.id IS UNIQUE;
// An occurrence is held by a cell, consumed by a firing, or expires, once.
CREATE INDEX held_key IF NOT EXISTS FOR ()-[r:HOLDS]-() ON (r.key);
CREATE INDEX consumed_key IF NOT EXISTS FOR ()-[r:CONSUMED]-() ON (r.key);
CREATE INDEX expired_key IF NOT EXISTS FOR ()-[r:EXPIRED]-() ON (r.key);

// Firing
CREATE CONSTRAINT unique_firing IF NOT EXISTS FOR (n:Firing) REQUIRE n.key IS UNIQUE;
CREATE INDEX firing_trigger IF NOT EXISTS FOR (n:Firing) ON (n.trigger_id, n.fired_at);
// The firings of a trigger that have the same cause.
CREATE INDEX firing_root IF NOT EXISTS FOR (n:Firing) ON (n.trigger_id, n.root);
// Firings that are kept back.
CREATE INDEX firing_state IF NOT EXISTS FOR (n:Firing) ON (n.state, n.fired_at);
// Firings that were given up, for which notifications are still to be sent.
CREATE INDEX firing_untold IF NOT EXISTS FOR (n:Firing) ON (n.untold_at);

// Backfill, BackfillPartition
CREATE CONSTRAINT unique_backfill IF NOT EXISTS FOR (n:Backfill) REQUIRE n.id IS UNIQUE;
CREATE INDEX backfill_state IF NOT EXISTS FOR (n:Backfill) ON (n.state);
CREATE CONSTRAINT unique_backfill_partition IF NOT EXISTS
FOR (n:BackfillPartition) REQUIRE (n.backfill_id, n.number) IS UNIQUE;
CREATE INDEX backfill_partition_state IF NOT EXISTS
FOR (n:BackfillPartition) ON (n.backfill_id, n.state, n.number);

// Terms of freshness, by the node that they are for and by where they come from
CREATE CONSTRAINT unique_terms IF NOT EXISTS FOR (n:Terms) REQUIRE n.key IS UNIQUE;
CREATE CONSTRAINT unique_terms_part IF NOT EXISTS FOR (n:TermsPart) REQUIRE n.key IS UNIQUE;

// Sensor, SensorShard: what many runs wait for is checked once, each shard by one process
CREATE CONSTRAINT sensor_id IF NOT EXISTS FOR (n:Sensor) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT sensor_callback_id IF NOT EXISTS FOR (n:SensorCallback) REQUIRE n.id IS UNIQUE;
// The sensors of a shard that changed since a time.
CREATE INDEX sensor_shard IF NOT EXISTS FOR (n:Sensor) ON (n.shard, n.touched_at);
CREATE CONSTRAINT sensor_shard_number IF NOT EXISTS FOR (n:SensorShard) REQUIRE n.number IS UNIQUE;
// Waits that are due, that are still open, and with an attempt that is over.
CREATE INDEX wait_next IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.next_at);
CREATE INDEX open_wait IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.open_on);
CREATE INDEX attempt_end IF NOT EXISTS FOR ()-[w:WAITS_ON]-() ON (w.attempt_ends_at);

// Process, Lease, Cluster
CREATE CONSTRAINT unique_process IF NOT EXISTS FOR (n:Process) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_lease IF NOT EXISTS FOR (n:Lease) REQUIRE n.name IS UNIQUE;
CREATE INDEX lease_run IF NOT EXISTS FOR (n:Lease) ON (n.run_id);
CREATE CONSTRAINT unique_cluster IF NOT EXISTS FOR (n:Cluster) REQUIRE n.id IS UNIQUE;

// Pool, PoolClaim: slots, and the tasks that hold them or wait for them
CREATE CONSTRAINT unique_pool IF NOT EXISTS FOR (n:Pool) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_pool_claim IF NOT EXISTS FOR (n:PoolClaim) REQUIRE n.run_id IS UNIQUE;
CREATE INDEX pool_claim_pool IF NOT EXISTS FOR (n:PoolClaim) ON (n.pool);

// Notification: one for each transition and channel
CREATE CONSTRAINT unique_notification IF NOT EXISTS FOR (n:Notification) REQUIRE n.key IS UNIQUE;
CREATE INDEX notification_created IF NOT EXISTS FOR (n:Notification) ON (n.created_at);
// The next one that is due on a channel.
CREATE INDEX notification_next IF NOT EXISTS
FOR (n:Notification) ON (n.state, n.channel, n.next_at);

// ForwardTarget, Forwarding: one for each event and target
CREATE CONSTRAINT unique_forward_target IF NOT EXISTS FOR (n:ForwardTarget) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_forwarding IF NOT EXISTS FOR (n:Forwarding) REQUIRE n.key IS UNIQUE;
// The queue of a target in its order, without the events that it refused.
CREATE INDEX forwarding_waiting IF NOT EXISTS
FOR (n:Forwarding) ON (n.waits_for, n.queued_at, n.position);
CREATE INDEX forwarding_refused IF NOT EXISTS FOR (n:Forwarding) ON (n.refused_at);

// RunToken: one for each run whose programs may report
CREATE CONSTRAINT unique_run_token IF NOT EXISTS FOR (n:RunToken) REQUIRE n.run_id IS UNIQUE;
CREATE INDEX run_token_hash IF NOT EXISTS FOR (n:RunToken) ON (n.hash);

// Mute, Note, Pause, Skip, Token, Session, Variable
CREATE CONSTRAINT unique_note IF NOT EXISTS FOR (n:Note) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_mute IF NOT EXISTS FOR (n:Mute) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_pause IF NOT EXISTS FOR (n:Pause) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_skip IF NOT EXISTS FOR (n:Skip) REQUIRE n.id IS UNIQUE;
CREATE CONSTRAINT unique_token IF NOT EXISTS FOR (n:Token) REQUIRE n.name IS UNIQUE;
CREATE CONSTRAINT unique_session IF NOT EXISTS FOR (n:Session) REQUIRE n.hash IS UNIQUE;
CREATE INDEX session_user IF NOT EXISTS FOR (n:Session) ON (n.user);
CREATE CONSTRAINT unique_variable IF NOT EXISTS FOR (n:Variable) REQUIRE n.name IS UNIQUE;

// AuditEntry: a change, and who made it
CREATE CONSTRAINT unique_audit_entry IF NOT EXISTS FOR (n:AuditEntry) REQUIRE n.id IS UNIQUE;
CREATE INDEX audit_time IF NOT EXISTS FOR (n:AuditEntry) ON (n.at);
// The changes of a thing: by its key, its name, or its job.
CREATE INDEX audit_key IF NOT EXISTS FOR (n:AuditEntry) ON (n.key);
CREATE INDEX audit_name IF NOT EXISTS FOR (n:AuditEntry) ON (n.name);
CREATE INDEX audit_job IF NOT EXISTS FOR (n:AuditEntry) ON (n.job);
