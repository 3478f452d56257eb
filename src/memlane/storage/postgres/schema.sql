-- One index in a schema of its own, derived from the archive, versioned by its name. No migrations: a new version is a
-- rebuild beside the old one. Times are seconds since 1970, UTC; lists and records are JSON. Names by number and vectors
-- stand in the schema beside it, which every index of this database shares.

CREATE TABLE runs (
  id text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, agent text NOT NULL, machine text NOT NULL,
  native_id text NOT NULL, project text NOT NULL, project_key text NOT NULL, started float8, ended float8,
  parent text NOT NULL, body text NOT NULL
);
CREATE INDEX runs_by_end ON runs (owner, ended DESC NULLS LAST, id);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent <> '';
CREATE INDEX runs_by_native ON runs USING hash (native_id); -- may be longer than a tree takes
-- What a person calls a Run; there before it is indexed, and after it is dropped.
CREATE TABLE labels (
  run text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL, title text NOT NULL, tags text[] NOT NULL,
  pinned boolean NOT NULL, PRIMARY KEY (run, owner)
);

-- Ids come in blocks, so that a Run's Chunks stand in a few spans of them.
CREATE SEQUENCE blocks MINVALUE 1 MAXVALUE 67108863;
CREATE SEQUENCE segment_numbers AS integer;
CREATE TABLE chunks (
  id bigint PRIMARY KEY, owner integer NOT NULL, run text COLLATE "C" NOT NULL, turn integer NOT NULL,
  step integer NOT NULL, part integer NOT NULL, author text NOT NULL, tool text NOT NULL, at float8,
  length integer NOT NULL, hash uuid NOT NULL, text text NOT NULL
);
CREATE UNIQUE INDEX chunks_by_place ON chunks (run, turn, step, part);
CREATE INDEX chunks_by_hash ON chunks (hash, owner);
CREATE TABLE spans (
  owner integer NOT NULL, run text COLLATE "C" NOT NULL, first bigint NOT NULL, last bigint NOT NULL,
  PRIMARY KEY (run, first)
);
CREATE TABLE totals (
  run text COLLATE "C" PRIMARY KEY, owner integer NOT NULL, chunks integer NOT NULL, length bigint NOT NULL
);
CREATE INDEX totals_by_owner ON totals (owner) INCLUDE (chunks, length);

-- Terms of Chunks that have no postings yet; `settle` carries them over.
CREATE TABLE unwritten (chunk bigint PRIMARY KEY, owner integer NOT NULL, terms text COLLATE "C" NOT NULL);
-- Which Chunks have a term: six bytes for each (id, times, length), a row for each segment. Segment 0 has no Chunks: it
-- takes from `n` what was removed since, so that the sum is always exact.
CREATE TABLE segments (segment integer PRIMARY KEY, owner integer NOT NULL, chunks integer NOT NULL);
CREATE TABLE postings (
  owner integer NOT NULL, segment integer NOT NULL, n integer NOT NULL, term text COLLATE "C" NOT NULL,
  body bytea NOT NULL, PRIMARY KEY (owner, term, segment)
);
ALTER TABLE postings ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX postings_by_segment ON postings (segment);

-- Which models this index keeps count of, and the Chunks that have no vector of them.
CREATE TABLE models (model integer PRIMARY KEY);
CREATE TABLE waiting (
  model integer NOT NULL, owner integer NOT NULL, run text COLLATE "C" NOT NULL, chunk bigint NOT NULL,
  PRIMARY KEY (model, run, chunk)
);
CREATE INDEX waiting_by_chunk ON waiting (chunk);
CREATE TABLE shares (
  model integer NOT NULL, owner integer NOT NULL, waiting integer NOT NULL, PRIMARY KEY (model, owner)
);

-- `ending` is the path with its parts in reverse: whatever ends alike stands together.
CREATE TABLE touches (
  owner integer NOT NULL, run text COLLATE "C" NOT NULL, turn integer NOT NULL, step integer NOT NULL,
  path text COLLATE "C" NOT NULL, ending text COLLATE "C" NOT NULL, changed boolean NOT NULL, tool text NOT NULL,
  at float8
);
CREATE INDEX touches_by_place ON touches (run, turn);
CREATE INDEX touches_by_name ON touches (owner, hashtextextended(split_part(ending, '/', 1), 0));

-- `digest` stands for a text that may be longer than a tree takes.
CREATE TABLE prompts (
  digest uuid NOT NULL, run text COLLATE "C" NOT NULL, native_id text NOT NULL, owner text COLLATE "C" NOT NULL,
  turn integer NOT NULL, steps integer NOT NULL, PRIMARY KEY (digest, run)
);
CREATE INDEX prompts_by_run ON prompts (run, turn);

-- `changed` is the tick of its last change, `digest` of what it says: vectors of other words do not count. `spot`
-- stands for the owner and `place`, the project it holds in, or empty; `agents` is whom it is for, or empty; high,
-- observed and sure say how much it weighs. `level` is 90, 60 or 0, as sure as that at least; `said` is its title,
-- content and id, casefolded.
CREATE TABLE memories (
  id text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, state text NOT NULL, type text NOT NULL,
  scope text NOT NULL, project_key text NOT NULL, saved float8 NOT NULL, changed bigint NOT NULL, digest uuid NOT NULL,
  place text NOT NULL, spot bigint NOT NULL, high boolean NOT NULL, observed integer NOT NULL, sure integer NOT NULL,
  agents text NOT NULL, body text NOT NULL, project text COLLATE "C" NOT NULL, category text COLLATE "C" NOT NULL,
  level integer NOT NULL, formed float8 NOT NULL, seen float8 NOT NULL, said text NOT NULL,
  cued uuid
);
CREATE INDEX memories_by_weight ON memories (spot, high DESC, observed DESC, sure DESC, id) WHERE state = 'active';
CREATE INDEX memories_by_state ON memories (owner, state, saved DESC);
CREATE INDEX memories_by_change ON memories (changed, owner);
CREATE INDEX memories_by_seen ON memories (owner, seen DESC, formed DESC, id);
CREATE INDEX memories_by_forming ON memories (owner, formed);
-- A tick for every change of a Memory or a vector of one, so that whoever keeps them in mind reads what is new; `gone`
-- is when one was last dropped. Who ticks has a lock until the commit: a later tick is never seen before an earlier one.
CREATE SEQUENCE memory_ticks;
CREATE TABLE memory_clock (gone bigint NOT NULL);
INSERT INTO memory_clock (gone) VALUES (0);
-- `raw` stands for the casefolded words.
CREATE TABLE mentions (memory text COLLATE "C" NOT NULL, raw uuid NOT NULL, PRIMARY KEY (memory, raw));
CREATE INDEX mentions_by_raw ON mentions (raw);
-- Whom and what each names, as it is written: the slug of what is known, the words of what is not.
CREATE TABLE names_in (
  owner text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL, known boolean NOT NULL,
  type text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL
);
CREATE INDEX names_in_by_memory ON names_in (memory);
CREATE INDEX names_in_by_name ON names_in (owner, hashtextextended(name, 0));
-- Of active ones: what they are about (`kind` stands for owner and type, `digest` for all of it), and their words.
CREATE TABLE subjects (
  memory text COLLATE "C" NOT NULL, digest uuid NOT NULL, kind uuid NOT NULL, slug text COLLATE "C" NOT NULL,
  PRIMARY KEY (memory, digest)
);
CREATE INDEX subjects_by_kind ON subjects (kind);
CREATE TABLE memory_words (
  spot bigint NOT NULL, term text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL,
  PRIMARY KEY (spot, term, memory)
);
CREATE INDEX memory_words_by_memory ON memory_words (memory);
-- Runs that Memories stand on.
CREATE TABLE memory_runs (
  memory text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL, PRIMARY KEY (memory, run)
);
CREATE INDEX memory_runs_by_run ON memory_runs (run);
CREATE TABLE memory_vectors (
  model text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL, digest uuid NOT NULL, halves bytea NOT NULL,
  PRIMARY KEY (model, memory)
);
ALTER TABLE memory_vectors ALTER COLUMN halves SET STORAGE PLAIN;
-- All Cues of a Memory, one after the other, a byte for each number; `digest` is its `cued`.
CREATE TABLE cue_vectors (
  memory text COLLATE "C" NOT NULL, model text COLLATE "C" NOT NULL, digest uuid NOT NULL, octets bytea NOT NULL,
  PRIMARY KEY (memory, model)
);
ALTER TABLE cue_vectors ALTER COLUMN octets SET STORAGE EXTERNAL;
-- Up to which tick no Memory waits for this model, and none for its Cues.
CREATE TABLE memory_models (
  model text COLLATE "C" PRIMARY KEY, served bigint NOT NULL DEFAULT 0, cued bigint NOT NULL DEFAULT 0
);

-- Windows that were read: from the journal, also of Runs that are not indexed.
CREATE TABLE caught (
  owner text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL, "window" text COLLATE "C" NOT NULL,
  extractor text COLLATE "C" NOT NULL, PRIMARY KEY (owner, run, "window", extractor)
);
CREATE TABLE looked (
  run text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, generation integer NOT NULL, size bigint NOT NULL,
  turn integer NOT NULL, closed boolean NOT NULL
);

-- `digest` stands for type and slug.
CREATE TABLE entities (
  owner text COLLATE "C" NOT NULL, digest uuid NOT NULL, type text COLLATE "C" NOT NULL, slug text COLLATE "C" NOT NULL,
  body text NOT NULL, PRIMARY KEY (owner, digest)
);
-- `digest` stands for the casefolded words and the project.
CREATE TABLE name_answers (
  owner text COLLATE "C" NOT NULL, digest uuid NOT NULL, raw text COLLATE "C" NOT NULL,
  project_key text COLLATE "C" NOT NULL, body text NOT NULL, PRIMARY KEY (owner, digest)
);

CREATE TABLE results (
  owner text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL, at float8 NOT NULL, body text NOT NULL,
  PRIMARY KEY (owner, run)
);
CREATE TABLE credited (
  owner text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, memory, run)
);
CREATE INDEX credited_by_run ON credited (owner, run);

CREATE TABLE recalls (
  id text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, at float8 NOT NULL, run text COLLATE "C" NOT NULL,
  cwd text NOT NULL, outcome text NOT NULL, body text NOT NULL
);
CREATE INDEX recalls_by_time ON recalls (owner, at DESC);
CREATE INDEX recalls_by_run ON recalls (run, at);
CREATE TABLE feedback (
  id text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, recall text COLLATE "C" NOT NULL,
  memory text COLLATE "C" NOT NULL, at float8 NOT NULL, body text NOT NULL
);
CREATE INDEX feedback_by_memory ON feedback (memory, at);
-- In which Runs a Memory was told, and when last.
CREATE TABLE recalled (
  memory text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL, at float8 NOT NULL,
  PRIMARY KEY (memory, run)
);
CREATE INDEX recalled_by_time ON recalled (owner, at);

-- Archived ahead of indexed is the work to do; size -1: to be indexed from its beginning.
CREATE SEQUENCE moves;
CREATE TABLE marks (
  run text COLLATE "C" PRIMARY KEY, archived_generation integer NOT NULL, archived_size bigint NOT NULL,
  moved bigint NOT NULL, generation integer NOT NULL DEFAULT 0, size bigint NOT NULL DEFAULT -1,
  turn integer NOT NULL DEFAULT 0, rules text NOT NULL DEFAULT ''
);
CREATE INDEX marks_to_do ON marks (moved) WHERE generation <> archived_generation OR size <> archived_size;
CREATE TABLE bookmarks (
  run text COLLATE "C" PRIMARY KEY, generation integer NOT NULL, "offset" bigint NOT NULL, state bytea NOT NULL
);
CREATE TABLE journal_read (file text COLLATE "C" PRIMARY KEY, "offset" bigint NOT NULL);
CREATE TABLE checkpoints (digest uuid PRIMARY KEY, path text NOT NULL, signature text NOT NULL);
CREATE TABLE bars (run text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, reason text NOT NULL);
CREATE TABLE notes (name text COLLATE "C" PRIMARY KEY, value text NOT NULL);

-- What people said stands in these tables and nowhere else: the planner's statistics take no samples of it.
ALTER TABLE runs ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN native_id SET STATISTICS 0;
ALTER TABLE labels ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE chunks ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE unwritten ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE postings ALTER COLUMN term SET STATISTICS 0, ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE touches ALTER COLUMN path SET STATISTICS 0, ALTER COLUMN ending SET STATISTICS 0;
ALTER TABLE prompts ALTER COLUMN native_id SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN said SET STATISTICS 0,
  ALTER COLUMN category SET STATISTICS 0;
ALTER TABLE names_in ALTER COLUMN name SET STATISTICS 0;
ALTER TABLE memory_words ALTER COLUMN term SET STATISTICS 0;
ALTER TABLE subjects ALTER COLUMN slug SET STATISTICS 0;
ALTER TABLE recalls ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE feedback ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE entities ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN slug SET STATISTICS 0;
ALTER TABLE name_answers ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN raw SET STATISTICS 0;
