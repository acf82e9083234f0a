-- statements.sql - every statement of the store, by name. Parameters are numbered in the order in which they appear,
-- so that they are bound from left to right on every backend.

-- :begin
BEGIN IMMEDIATE
-- :begin_read
BEGIN
-- :commit
COMMIT
-- :rollback
ROLLBACK

-- :epoch_is
SELECT 1 FROM lease WHERE name = 'scheduler' AND epoch = $1
-- :lease_read
SELECT epoch, holder, until_ms FROM lease WHERE name = 'scheduler'
-- :lease_take
INSERT INTO lease (name, epoch, holder, until_ms) VALUES ('scheduler', $1, $2, $3)
ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, until_ms = excluded.until_ms
-- :lease_renew
UPDATE lease SET until_ms = $1 WHERE name = 'scheduler' AND epoch = $2
-- :lease_release
UPDATE lease SET until_ms = 0, holder = '' WHERE name = 'scheduler' AND epoch = $1

-- :plan_has
SELECT 1 FROM workflow_version WHERE hash = $1
-- :plan_put
INSERT INTO workflow_version (hash, workflow, document, kept_ms) VALUES ($1, $2, $3, $4)
-- :plan_get
SELECT document FROM workflow_version WHERE hash = $1

-- :run_insert
INSERT INTO run (id, workflow, hash, state, version, seq, date, scheduled_at_ms, interval_start_ms,
                 interval_end_ms, params, workdir, origin, paused_by_person, created_ms, started_ms, ended_ms,
                 nodes_total)
VALUES (nullif($1, 0), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
RETURNING id
-- :run_update
UPDATE run SET state = $1, version = $2, seq = $3, paused_by_person = $4, started_ms = $5, ended_ms = $6
WHERE id = $7 AND state = $8 AND version = $9
-- :run_count
UPDATE run SET blocked = blocked + $1, held = held + $2, active = active + $3, succeeded = succeeded + $4,
               failed = failed + $5, skipped = skipped + $6, cancelled = cancelled + $7
WHERE id = $8
-- :run_get
SELECT id, workflow, hash, state, version, seq, date, scheduled_at_ms, interval_start_ms, interval_end_ms,
       params, workdir, origin, paused_by_person, created_ms, started_ms, ended_ms, nodes_total,
       blocked, held, active, succeeded, failed, skipped, cancelled
FROM run WHERE id = $1
-- :run_list
SELECT id FROM run WHERE id < $1 ORDER BY id DESC LIMIT $2
-- :run_list_unfinished
SELECT id FROM run WHERE ended_ms = 0 AND id < $1 ORDER BY id DESC LIMIT $2
-- :run_list_workflow
SELECT id FROM run WHERE workflow = $1 AND id < $2 ORDER BY id DESC LIMIT $3
-- :run_list_workflow_unfinished
SELECT id FROM run WHERE workflow = $1 AND ended_ms = 0 AND id < $2 ORDER BY id DESC LIMIT $3

-- :node_insert
INSERT INTO node (state, version, reason, cause, attempt, budget_from, open, given_up, held_by_hand,
                  skipped_by_hand, accepted, begun_ms, ended_ms, run, node)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
-- :node_update
UPDATE node SET state = $1, version = $2, reason = $3, cause = $4, attempt = $5, budget_from = $6, open = $7,
                given_up = $8, held_by_hand = $9, skipped_by_hand = $10, accepted = $11, begun_ms = $12,
                ended_ms = $13
WHERE run = $14 AND node = $15 AND state = $16 AND version = $17
-- :node_list
SELECT state, version, reason, cause, attempt, budget_from, open, given_up, held_by_hand, skipped_by_hand, accepted,
       begun_ms, ended_ms, node
FROM node WHERE run = $1 ORDER BY node

-- :instance_insert
INSERT INTO instance (state, version, reason, exit_code, signal, unconfirmed, skip, retry_of, due_ms, created_ms,
                      ready_ms, started_ms, ended_ms, message, run, node, attempt)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
-- :instance_update
UPDATE instance SET state = $1, version = $2, reason = $3, exit_code = $4, signal = $5, unconfirmed = $6, skip = $7,
                    retry_of = $8, due_ms = $9, created_ms = $10, ready_ms = $11, started_ms = $12, ended_ms = $13,
                    message = $14
WHERE run = $15 AND node = $16 AND attempt = $17 AND state = $18 AND version = $19
-- :instance_list
SELECT state, version, reason, exit_code, signal, unconfirmed, skip, retry_of, due_ms, created_ms, ready_ms,
       started_ms, ended_ms, message, node, attempt
FROM instance WHERE run = $1 ORDER BY node, attempt

-- :output_insert
INSERT INTO output (run, node, attempt, output, value) VALUES ($1, $2, $3, $4, $5)
-- :output_list
SELECT node, attempt, output, value FROM output WHERE run = $1 ORDER BY node, attempt, output

-- :log_insert
INSERT INTO transition_log (run, seq, machine, node, attempt, from_state, event, to_state, event_id, source, person,
                            reason, extra, at_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
-- :log_list
SELECT run, seq, machine, node, attempt, from_state, event, to_state, event_id, source, person, reason, extra, at_ms
FROM transition_log WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT $3
-- :log_list_node
SELECT run, seq, machine, node, attempt, from_state, event, to_state, event_id, source, person, reason, extra, at_ms
FROM transition_log WHERE run = $1 AND seq > $2 AND node = $3 ORDER BY seq LIMIT $4

-- :effect_insert
INSERT INTO outbox (run, seq, kind, node, attempt) VALUES ($1, $2, $3, $4, $5)
-- :effect_delete
DELETE FROM outbox WHERE run = $1 AND seq = $2
-- :effect_list
SELECT run, seq, kind, node, attempt FROM outbox WHERE run = $1 ORDER BY seq
