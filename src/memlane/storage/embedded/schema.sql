-- The embedded index: one SQLite file, derived from the archive, versioned by its name. No migrations: a new
-- version is a rebuild beside the old one. Times are seconds since 1970, UTC; lists and records are JSON.

-- Run ids, owners, authors, tools and models by number. A number is never given twice: files beside this one use them.
CREATE TABLE names (n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE);

-- What is held about a key of a project. `project` and `project_key` are what it belongs to, all joins taken together;
-- none: to itself. Runs and memories have both: the project as it was filed, and the one it belongs to.
CREATE TABLE project_joins (
  owner TEXT NOT NULL, key TEXT NOT NULL, project TEXT, project_key TEXT, body TEXT NOT NULL, PRIMARY KEY (owner, key)
) WITHOUT ROWID;

CREATE TABLE runs (
  id TEXT PRIMARY KEY, n INTEGER NOT NULL, owner TEXT NOT NULL, agent TEXT NOT NULL, machine TEXT NOT NULL,
  native_id TEXT NOT NULL, project TEXT NOT NULL, project_key TEXT NOT NULL, started REAL, ended REAL,
  parent TEXT NOT NULL, body TEXT NOT NULL, filed TEXT NOT NULL, filed_key TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX runs_by_end ON runs (owner, ended DESC);
CREATE INDEX runs_by_project ON runs (owner, project_key, project, ended);
CREATE INDEX runs_by_filing ON runs (owner, filed_key, filed);
CREATE INDEX runs_newest ON runs (ended DESC, id);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent <> '';
CREATE INDEX runs_by_native ON runs (native_id);
-- What a person calls a Run; there before it is indexed, and after it is dropped.
CREATE TABLE labels (
  run TEXT NOT NULL, owner TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL, pinned INTEGER NOT NULL,
  PRIMARY KEY (run, owner)
) WITHOUT ROWID;

-- Entities (type:slug) that a Run names, by Turn; Turn -1: its project and the files it touched. Of the Runs in `unnamed`
-- the words from that Turn on have not been looked through yet.
CREATE TABLE run_entities (
  run TEXT NOT NULL, turn INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (run, turn, key)
) WITHOUT ROWID;
CREATE INDEX run_entities_by_key ON run_entities (key, run);
-- What a Run is asked for by: its skills, commands, account and kind of work, casefolded.
CREATE TABLE run_traits (
  run TEXT NOT NULL, trait TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, trait, value)
) WITHOUT ROWID;
CREATE INDEX run_traits_by_value ON run_traits (trait, value, run);
CREATE TABLE unnamed (run TEXT PRIMARY KEY, turn INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, run INTEGER NOT NULL, turn INTEGER NOT NULL,
  step INTEGER NOT NULL, part INTEGER NOT NULL, author INTEGER NOT NULL, tool INTEGER NOT NULL, at REAL,
  length INTEGER NOT NULL, hash BLOB NOT NULL, text TEXT NOT NULL
);
CREATE UNIQUE INDEX chunks_by_place ON chunks (run, turn, step, part);
-- Of each owner: what there is, which of their folders of terms serves, and its last commit.
CREATE TABLE totals (
  owner INTEGER PRIMARY KEY, chunks INTEGER NOT NULL, length INTEGER NOT NULL, folder INTEGER NOT NULL DEFAULT 1,
  commits INTEGER NOT NULL DEFAULT 0
);
-- Chunks that tantivy may not know, with their terms, or may know although they are gone (no terms).
CREATE TABLE unwritten (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, chunk INTEGER NOT NULL, terms TEXT
);

-- Which row of the vector files says what a Chunk means; seq and gone let a reader take up what is new.
CREATE TABLE models (model INTEGER PRIMARY KEY, dimension INTEGER NOT NULL DEFAULT 0);
CREATE TABLE vectors (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, model INTEGER NOT NULL, owner INTEGER NOT NULL, chunk INTEGER NOT NULL,
  row INTEGER NOT NULL
);
CREATE UNIQUE INDEX vectors_by_chunk ON vectors (chunk, model);
CREATE TABLE vectors_gone (seq INTEGER PRIMARY KEY AUTOINCREMENT, chunk INTEGER NOT NULL);
CREATE TABLE shares (
  owner INTEGER NOT NULL, model INTEGER NOT NULL, chunks INTEGER NOT NULL, scanned INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, model)
) WITHOUT ROWID;
CREATE TABLE waiting (
  run INTEGER NOT NULL, model INTEGER NOT NULL, chunk INTEGER NOT NULL, PRIMARY KEY (run, model, chunk)
) WITHOUT ROWID;

-- `ending` is the path with its parts in reverse: whatever ends alike stands together.
CREATE TABLE touches (
  owner INTEGER NOT NULL, run INTEGER NOT NULL, turn INTEGER NOT NULL, step INTEGER NOT NULL, path TEXT NOT NULL,
  ending TEXT NOT NULL, changed INTEGER NOT NULL, tool INTEGER NOT NULL, at REAL
);
CREATE INDEX touches_by_place ON touches (run, turn);
CREATE INDEX touches_by_ending ON touches (owner, ending);

CREATE TABLE prompts (
  native_id TEXT NOT NULL, run TEXT NOT NULL, owner TEXT NOT NULL, turn INTEGER NOT NULL, steps INTEGER NOT NULL,
  PRIMARY KEY (native_id, run)
) WITHOUT ROWID;
CREATE INDEX prompts_by_run ON prompts (run, turn);

-- `changed` is the clock at its last change, `digest` of what it says: vectors of other words do not count. `place` is
-- the project it holds in, or empty; `agents` whom it is for, or empty; high, observed and sure say how much it weighs.
-- `level` is 90, 60 or 0, as sure as that at least; `told` in how many Runs; `said` its title, content and id, casefolded;
-- `always`: it is a standing rule.
CREATE TABLE memories (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, state TEXT NOT NULL, type TEXT NOT NULL, scope TEXT NOT NULL,
  project_key TEXT NOT NULL, saved REAL NOT NULL, changed INTEGER NOT NULL, digest BLOB NOT NULL, place TEXT NOT NULL,
  high INTEGER NOT NULL, observed INTEGER NOT NULL, sure INTEGER NOT NULL, agents TEXT NOT NULL, body TEXT NOT NULL,
  project TEXT NOT NULL, category TEXT NOT NULL, level INTEGER NOT NULL, formed REAL NOT NULL, seen REAL NOT NULL,
  told INTEGER NOT NULL, said TEXT NOT NULL, cued BLOB, always INTEGER NOT NULL, filed TEXT NOT NULL,
  filed_key TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX memories_by_filing ON memories (owner, filed_key, filed, state);
CREATE INDEX memories_by_weight ON memories (owner, place, high DESC, observed DESC, sure DESC, id)
  WHERE state = 'active';
CREATE INDEX memories_standing ON memories (owner, place, observed DESC, sure DESC, id)
  WHERE state = 'active' AND always = 1;
CREATE INDEX memories_by_state ON memories (owner, state, saved DESC);
CREATE INDEX memories_by_change ON memories (changed, owner);
-- A list in any of its orders, and all that a list is filtered by.
CREATE INDEX memories_by_seen ON memories (owner, seen DESC, formed DESC, id, state);
CREATE INDEX memories_by_told ON memories (owner, told DESC, formed DESC, id, state);
CREATE INDEX memories_by_sure ON memories (owner, sure DESC, formed DESC, id, state);
CREATE INDEX memories_by_forming ON memories (owner, formed, id, state, type, project, category);
CREATE INDEX memories_by_traits
  ON memories (owner, state, type, scope, project, category, level, observed, told, always, sure, formed, seen, id);
-- How many there are of each sort: kept by the triggers below, so that no page counts them all.
CREATE TABLE memory_counts (
  owner TEXT NOT NULL, state TEXT NOT NULL, type TEXT NOT NULL, scope TEXT NOT NULL, project TEXT NOT NULL,
  category TEXT NOT NULL, level INTEGER NOT NULL, again INTEGER NOT NULL, told INTEGER NOT NULL,
  always INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (owner, state, type, scope, project, category, level, again, told, always)
) WITHOUT ROWID;
CREATE INDEX memory_counts_gone ON memory_counts (owner) WHERE n = 0;
CREATE TRIGGER memory_comes AFTER INSERT ON memories BEGIN
  INSERT INTO memory_counts VALUES (new.owner, new.state, new.type, new.scope, new.project, new.category, new.level,
    new.observed > 1, new.told > 0, new.always, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER memory_goes AFTER DELETE ON memories BEGIN
  UPDATE memory_counts SET n = n - 1 WHERE owner = old.owner AND state = old.state AND type = old.type
    AND scope = old.scope AND project = old.project AND category = old.category AND level = old.level
    AND again = (old.observed > 1) AND told = (old.told > 0) AND always = old.always;
  DELETE FROM memory_counts WHERE owner = old.owner AND n = 0;
END;
CREATE TRIGGER memory_told AFTER UPDATE OF told ON memories WHEN (old.told > 0) <> (new.told > 0) BEGIN
  UPDATE memory_counts SET n = n - 1 WHERE owner = old.owner AND state = old.state AND type = old.type
    AND scope = old.scope AND project = old.project AND category = old.category AND level = old.level
    AND again = (old.observed > 1) AND told = (old.told > 0) AND always = old.always;
  DELETE FROM memory_counts WHERE owner = old.owner AND n = 0;
  INSERT INTO memory_counts VALUES (new.owner, new.state, new.type, new.scope, new.project, new.category, new.level,
    new.observed > 1, new.told > 0, new.always, 1) ON CONFLICT DO UPDATE SET n = n + 1;
END;
-- Ticks with every change of a Memory or a vector of one, so that whoever keeps them in mind reads what is new; `gone` is
-- when one was last dropped.
CREATE TABLE memory_clock (n INTEGER NOT NULL, gone INTEGER NOT NULL);
INSERT INTO memory_clock (n, gone) VALUES (0, 0);
-- `raw` is casefolded.
CREATE TABLE mentions (memory TEXT NOT NULL, raw TEXT NOT NULL, PRIMARY KEY (memory, raw)) WITHOUT ROWID;
CREATE INDEX mentions_by_raw ON mentions (raw);
-- Whom and what each names, as it is written: the slug of what is known, the words of what is not. How often, kept by
-- triggers too.
CREATE TABLE names_in (
  owner TEXT NOT NULL, known INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, project_key TEXT NOT NULL,
  project TEXT NOT NULL, state TEXT NOT NULL, seen REAL NOT NULL, memory TEXT NOT NULL,
  PRIMARY KEY (owner, known, type, name, project_key, project, state, seen, memory)
) WITHOUT ROWID;
CREATE INDEX names_in_by_memory ON names_in (memory);
CREATE INDEX names_in_by_name ON names_in (owner, name, memory);
CREATE TABLE name_counts (
  owner TEXT NOT NULL, known INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL, project_key TEXT NOT NULL,
  project TEXT NOT NULL, state TEXT NOT NULL, n INTEGER NOT NULL, seen REAL,
  PRIMARY KEY (owner, known, type, name, project_key, project, state)
) WITHOUT ROWID;
CREATE INDEX name_counts_gone ON name_counts (owner) WHERE n = 0;
CREATE TRIGGER name_comes AFTER INSERT ON names_in BEGIN
  INSERT INTO name_counts VALUES (new.owner, new.known, new.type, new.name, new.project_key, new.project, new.state, 1,
    new.seen) ON CONFLICT DO UPDATE SET n = n + 1, seen = max(seen, excluded.seen);
END;
CREATE TRIGGER name_goes AFTER DELETE ON names_in BEGIN
  UPDATE name_counts SET n = n - 1, seen = (SELECT max(seen) FROM names_in AS other WHERE other.owner = old.owner
    AND other.known = old.known AND other.type = old.type AND other.name = old.name
    AND other.project_key = old.project_key AND other.project = old.project AND other.state = old.state)
  WHERE owner = old.owner AND known = old.known AND type = old.type AND name = old.name
    AND project_key = old.project_key AND project = old.project AND state = old.state;
  DELETE FROM name_counts WHERE owner = old.owner AND n = 0;
END;
-- Of active ones: what they are about, and their words; `spot` stands for the owner and the place.
CREATE TABLE subjects (
  owner TEXT NOT NULL, subject TEXT NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (owner, subject, memory)
) WITHOUT ROWID;
CREATE TABLE memory_words (
  spot INTEGER NOT NULL, term TEXT NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (spot, term, memory)
) WITHOUT ROWID;
-- Runs that Memories stand on.
CREATE TABLE memory_runs (run TEXT NOT NULL, memory TEXT NOT NULL, PRIMARY KEY (run, memory)) WITHOUT ROWID;
CREATE TABLE memory_vectors (
  model TEXT NOT NULL, memory TEXT NOT NULL, digest BLOB NOT NULL, halves BLOB NOT NULL, at REAL NOT NULL,
  PRIMARY KEY (model, memory)
);
-- All Cues of a Memory, one after the other, a byte for each number; `digest` is its `cued`.
CREATE TABLE cue_vectors (
  memory TEXT NOT NULL, model TEXT NOT NULL, digest BLOB NOT NULL, octets BLOB NOT NULL, PRIMARY KEY (memory, model)
);
-- Up to which tick no Memory waits for this model, and none for its Cues.
CREATE TABLE memory_models (
  model TEXT PRIMARY KEY, served INTEGER NOT NULL DEFAULT 0, cued INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- Windows that were read: from the journal, also of Runs that are not indexed.
CREATE TABLE caught (
  owner TEXT NOT NULL, run TEXT NOT NULL, window TEXT NOT NULL, extractor TEXT NOT NULL,
  PRIMARY KEY (owner, run, window, extractor)
) WITHOUT ROWID;
CREATE TABLE looked (
  run TEXT PRIMARY KEY, owner TEXT NOT NULL, generation INTEGER NOT NULL, size INTEGER NOT NULL, turn INTEGER NOT NULL,
  closed INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE entities (
  owner TEXT NOT NULL, type TEXT NOT NULL, slug TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (owner, type, slug)
) WITHOUT ROWID;
-- `raw` is casefolded.
CREATE TABLE name_answers (
  owner TEXT NOT NULL, raw TEXT NOT NULL, project_key TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (owner, raw, project_key)
) WITHOUT ROWID;

CREATE TABLE results (
  owner TEXT NOT NULL, run TEXT NOT NULL, at REAL NOT NULL, body TEXT NOT NULL, PRIMARY KEY (owner, run)
) WITHOUT ROWID;
CREATE TABLE credited (
  owner TEXT NOT NULL, memory TEXT NOT NULL, run TEXT NOT NULL, PRIMARY KEY (owner, memory, run)
) WITHOUT ROWID;
CREATE INDEX credited_by_run ON credited (owner, run);

CREATE TABLE recalls (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, at REAL NOT NULL, run TEXT NOT NULL, cwd TEXT NOT NULL,
  outcome TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX recalls_by_time ON recalls (owner, at DESC);
CREATE INDEX recalls_by_run ON recalls (run, at);

CREATE TABLE feedback (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, recall TEXT NOT NULL, memory TEXT NOT NULL, at REAL NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX feedback_by_memory ON feedback (memory, at);

-- In which Runs a Memory was told, and when last.
CREATE TABLE recalled (
  memory TEXT NOT NULL, run TEXT NOT NULL, owner TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (memory, run)
) WITHOUT ROWID;
CREATE INDEX recalled_by_time ON recalled (owner, at);
CREATE TRIGGER recalled_once AFTER INSERT ON recalled BEGIN
  UPDATE memories SET told = told + 1 WHERE id = new.memory;
END;

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
