-- 0001_first.sql - the first schema.
--
-- States, events and reasons are stored by name; the CHECK lists are those of runtime/core/states.h (a test compares
-- them; they are no IN lists, because SQLite builds such a list anew for each row that it writes). Times are ms since
-- the epoch, 0: not yet. `node` is a node's index in the plan that the run's `hash` names. No key is ever reused, and
-- nothing here costs more as history grows.

CREATE TABLE workflow_version (
    hash     TEXT PRIMARY KEY,      -- SHA-256 of the document
    workflow TEXT NOT NULL,
    document TEXT NOT NULL,         -- the task definitions and the graph, as JSON
    kept_ms  INTEGER NOT NULL
) STRICT;

CREATE TABLE run (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    workflow          TEXT NOT NULL,
    hash              TEXT NOT NULL,
    state             TEXT NOT NULL CHECK (
        state = 'QUEUED' OR state = 'RUNNING' OR state = 'PAUSED'
        OR state = 'CANCELLING' OR state = 'ABORTING' OR state = 'SUCCEEDED'
        OR state = 'FAILED' OR state = 'CANCELLED'),
    version           INTEGER NOT NULL,
    seq               INTEGER NOT NULL, -- the last that transition_log and outbox used
    date              INTEGER NOT NULL, -- business date, days since the epoch
    scheduled_at_ms   INTEGER NOT NULL,
    interval_start_ms INTEGER NOT NULL,
    interval_end_ms   INTEGER NOT NULL,
    params            TEXT NOT NULL,
    workdir           TEXT NOT NULL,
    origin            TEXT NOT NULL,
    paused_by_person  INTEGER NOT NULL,
    created_ms        INTEGER NOT NULL,
    started_ms        INTEGER NOT NULL,
    ended_ms          INTEGER NOT NULL,
    nodes_total       INTEGER NOT NULL,           -- tasks and gates of its plan
    blocked           INTEGER NOT NULL DEFAULT 0, -- how many rows of `node` are in each state
    held              INTEGER NOT NULL DEFAULT 0,
    active            INTEGER NOT NULL DEFAULT 0,
    succeeded         INTEGER NOT NULL DEFAULT 0,
    failed            INTEGER NOT NULL DEFAULT 0,
    skipped           INTEGER NOT NULL DEFAULT 0,
    cancelled         INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX run_of_workflow ON run (workflow, id);
CREATE INDEX run_unfinished ON run (id) WHERE ended_ms = 0;

-- A node without a row is BLOCKED and has not begun.
CREATE TABLE node (
    run             INTEGER NOT NULL,
    node            INTEGER NOT NULL,
    state           TEXT NOT NULL CHECK (
        state = 'BLOCKED' OR state = 'HELD' OR state = 'ACTIVE' OR state = 'SUCCEEDED'
        OR state = 'FAILED' OR state = 'SKIPPED' OR state = 'CANCELLED'),
    version         INTEGER NOT NULL,
    reason          TEXT NOT NULL,
    cause           INTEGER,          -- the node that failed first
    attempt         INTEGER NOT NULL, -- the newest one
    budget_from     INTEGER NOT NULL,
    open            INTEGER NOT NULL,
    given_up        INTEGER NOT NULL,
    held_by_hand    INTEGER NOT NULL,
    skipped_by_hand INTEGER NOT NULL,
    accepted        INTEGER NOT NULL,
    begun_ms        INTEGER NOT NULL,
    ended_ms        INTEGER NOT NULL,
    PRIMARY KEY (run, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE instance (
    run         INTEGER NOT NULL,
    node        INTEGER NOT NULL,
    attempt     INTEGER NOT NULL,
    state       TEXT NOT NULL CHECK (
        state = 'PENDING' OR state = 'READY' OR state = 'RUNNING'
        OR state = 'WAITING_APPROVAL' OR state = 'TIMING_OUT' OR state = 'CANCELLING'
        OR state = 'RETRYING' OR state = 'WAITING_CONFIRM' OR state = 'SUCCEEDED'
        OR state = 'FAILED' OR state = 'TIMEOUT' OR state = 'CANCELLED'),
    version     INTEGER NOT NULL,
    reason      TEXT NOT NULL,
    exit_code   INTEGER NOT NULL,
    signal      INTEGER NOT NULL,
    unconfirmed INTEGER NOT NULL,
    skip        INTEGER NOT NULL,
    retry_of    INTEGER NOT NULL,
    due_ms      INTEGER NOT NULL,
    created_ms  INTEGER NOT NULL,
    ready_ms    INTEGER NOT NULL,
    started_ms  INTEGER NOT NULL,
    ended_ms    INTEGER NOT NULL,
    message     TEXT NOT NULL,
    PRIMARY KEY (run, node, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE output (
    run     INTEGER NOT NULL,
    node    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    output  INTEGER NOT NULL, -- index in the definition's outputs
    value   TEXT NOT NULL,
    PRIMARY KEY (run, node, attempt, output)
) STRICT, WITHOUT ROWID;

-- Every transition, in the order in which it happened. Rows are only ever added.
CREATE TABLE transition_log (
    run        INTEGER NOT NULL,
    seq        INTEGER NOT NULL,
    machine    TEXT NOT NULL,
    node       INTEGER,
    attempt    INTEGER NOT NULL,
    from_state TEXT,          -- NULL: to_state is the one it was created in
    event      TEXT,
    to_state   TEXT NOT NULL,
    event_id   TEXT NOT NULL,
    source     TEXT NOT NULL,
    person     TEXT NOT NULL,
    reason     TEXT NOT NULL,
    extra      TEXT NOT NULL, -- a JSON object, or nothing
    at_ms      INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- Effects that are committed but not carried out yet.
CREATE TABLE outbox (
    run     INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    node    INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- The right to write. A commit under another epoch changes nothing.
CREATE TABLE lease (
    name     TEXT PRIMARY KEY,
    epoch    INTEGER NOT NULL,
    holder   TEXT NOT NULL,
    until_ms INTEGER NOT NULL
) STRICT;
INSERT INTO lease (name, epoch, holder, until_ms) VALUES ('scheduler', 0, '', 0);

-- For people who read with SQL: the nodes of a run with their names, which only the document has.
CREATE VIEW named_node AS
SELECT json_extract(entry.value, '$.id') AS name, node.*
FROM run
JOIN workflow_version ON workflow_version.hash = run.hash
JOIN json_each(workflow_version.document, '$.graph.nodes') AS entry
JOIN node ON node.run = run.id AND node.node = entry.key;
