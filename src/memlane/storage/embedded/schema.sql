-- The embedded index: one SQLite file, derived from the archive, versioned by its name. No migrations: a new
-- version is a rebuild beside the old one. Times are seconds since 1970, UTC; lists and records are JSON.

CREATE TABLE runs (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, agent TEXT NOT NULL, machine TEXT NOT NULL, native_id TEXT NOT NULL,
  project TEXT NOT NULL, project_key TEXT NOT NULL, started REAL, ended REAL, parent TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_by_end ON runs (owner, ended DESC);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent <> '';
CREATE INDEX runs_by_native ON runs (native_id);

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL, owner TEXT NOT NULL, turn INTEGER NOT NULL, step INTEGER NOT NULL,
  part INTEGER NOT NULL, author TEXT NOT NULL, at REAL, text TEXT NOT NULL
);
CREATE UNIQUE INDEX chunks_by_place ON chunks (run, turn, step, part);
-- Our tokenizer writes the terms; SQLite's only splits at spaces.
CREATE VIRTUAL TABLE chunk_terms USING fts5 (
  terms, content = '', contentless_delete = 1,
  tokenize = "ascii tokenchars '_./:@+-'"
);
CREATE VIRTUAL TABLE chunk_vocabulary USING fts5vocab (chunk_terms, 'row');

CREATE TABLE prompts (
  native_id TEXT NOT NULL, run TEXT NOT NULL, owner TEXT NOT NULL, turn INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (native_id, run)
) WITHOUT ROWID;
CREATE INDEX prompts_by_run ON prompts (run, turn);

CREATE TABLE memories (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, type TEXT NOT NULL, scope TEXT NOT NULL,
  project_key TEXT NOT NULL, saved REAL NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX memories_by_state ON memories (owner, state, saved DESC);

CREATE TABLE recalls (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, at REAL NOT NULL, run TEXT NOT NULL, cwd TEXT NOT NULL,
  outcome TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX recalls_by_time ON recalls (owner, at DESC);
CREATE INDEX recalls_by_run ON recalls (run, at);

CREATE TABLE recalled (memory TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY (memory, run)) WITHOUT ROWID;

-- Archived ahead of indexed is the work to do; size -1: to be indexed from its beginning.
CREATE TABLE marks (
  run TEXT PRIMARY KEY, archived_generation INTEGER NOT NULL, archived_size INTEGER NOT NULL, moved REAL NOT NULL,
  generation INTEGER NOT NULL DEFAULT 0, size INTEGER NOT NULL DEFAULT -1, turn INTEGER NOT NULL DEFAULT 0,
  rules TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE INDEX marks_to_do ON marks (moved) WHERE generation <> archived_generation OR size <> archived_size;
-- Where reading a run stopped, and the state it stopped in.
CREATE TABLE bookmarks (
  run TEXT PRIMARY KEY, generation INTEGER NOT NULL, offset INTEGER NOT NULL, state BLOB NOT NULL
);
CREATE TABLE journal_read (file TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE checkpoints (path TEXT PRIMARY KEY, signature TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE bars (run TEXT PRIMARY KEY, owner TEXT NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
