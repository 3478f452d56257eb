-- Everybody's indexes of this version, derived from the archive. No migrations: a new version is a schema beside this one,
-- and every owner is rebuilt into it. Every table and every key begins with the owner's number, so that an owner's rows
-- stand together, on one of 16 partitions or on one machine of a distributed PostgreSQL; the number of the build follows:
-- a rebuild is written beside what serves. Times are seconds since 1970, UTC; lists and records are JSON. Owners, models
-- and vectors are in the schemas beside it, which outlive this one.

-- What is held about a key of a project. `project` and `project_key` are what it belongs to, all joins taken together;
-- none: to itself. Runs and memories have both: the project as it was filed, and the one it belongs to. `digest` stands
-- for the key: a path may be longer than a tree takes.
CREATE TABLE project_joins (
  owner integer NOT NULL, build integer NOT NULL, digest uuid NOT NULL, key text COLLATE "C" NOT NULL, project text,
  project_key text, body text NOT NULL, PRIMARY KEY (owner, build, digest)
);

CREATE TABLE runs (
  owner integer NOT NULL, build integer NOT NULL, id text COLLATE "C" NOT NULL, agent text NOT NULL,
  machine text NOT NULL, native_id text NOT NULL, project text NOT NULL, project_key text NOT NULL, started float8,
  ended float8, parent text NOT NULL, body text NOT NULL, filed text NOT NULL, filed_key text NOT NULL,
  PRIMARY KEY (owner, build, id)
) PARTITION BY HASH (owner);
CREATE INDEX runs_by_filing ON runs (owner, build, hashtextextended(filed_key, 0));
CREATE INDEX runs_by_end ON runs (owner, build, ended DESC NULLS LAST, id);
CREATE INDEX runs_by_parent ON runs (owner, build, parent) WHERE parent <> '';
CREATE INDEX runs_by_native ON runs (owner, build, hashtextextended(native_id, 0));
-- What a person calls a Run; there before it is indexed, and after it is dropped.
CREATE TABLE labels (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, title text NOT NULL,
  tags text[] NOT NULL, pinned boolean NOT NULL, PRIMARY KEY (owner, build, run)
);

-- Entities (type:slug) that a Run names, by Turn; Turn -1: its project and the files it touched. Of the Runs in `unnamed`
-- the words from that Turn on have not been looked through yet. `digest` stands for a key that may be long.
CREATE TABLE run_entities (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, turn integer NOT NULL,
  digest uuid NOT NULL, key text NOT NULL, PRIMARY KEY (owner, build, run, turn, digest)
);
CREATE INDEX run_entities_by_key ON run_entities (owner, build, digest, run);
-- What a Run is asked for by: its skills, commands, account and kind of work. `value` stands for the casefolded words.
CREATE TABLE run_traits (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, trait text NOT NULL,
  value uuid NOT NULL, PRIMARY KEY (owner, build, run, trait, value)
);
CREATE INDEX run_traits_by_value ON run_traits (owner, build, value, trait, run);
CREATE TABLE unnamed (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, turn integer NOT NULL,
  PRIMARY KEY (owner, build, run)
);

-- The next id of an owner's Chunks. Ids are never given twice; a Run's stand in a few spans of them.
CREATE TABLE chunk_numbers (
  owner integer NOT NULL, build integer NOT NULL, next bigint NOT NULL, PRIMARY KEY (owner, build)
);
CREATE TABLE chunks (
  owner integer NOT NULL, build integer NOT NULL, id bigint NOT NULL, run text COLLATE "C" NOT NULL,
  turn integer NOT NULL, step integer NOT NULL, part integer NOT NULL, author text NOT NULL, tool text NOT NULL,
  at float8, length integer NOT NULL, hash uuid NOT NULL, text text NOT NULL, PRIMARY KEY (owner, build, id)
) PARTITION BY HASH (owner);
CREATE UNIQUE INDEX chunks_by_place ON chunks (owner, build, run, turn, step, part);
CREATE INDEX chunks_by_hash ON chunks (owner, build, hash);
CREATE TABLE spans (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, first bigint NOT NULL,
  last bigint NOT NULL, PRIMARY KEY (owner, build, run, first)
);
CREATE TABLE totals (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, chunks integer NOT NULL,
  length bigint NOT NULL, PRIMARY KEY (owner, build, run)
);
CREATE INDEX totals_by_owner ON totals (owner, build) INCLUDE (chunks, length);

-- Terms of Chunks that have no postings yet; `settle` carries them over.
CREATE TABLE unwritten (
  owner integer NOT NULL, build integer NOT NULL, chunk bigint NOT NULL, terms text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, build, chunk)
);
-- Which Chunks have a term: six bytes for each (id, times, length). A row holds a term that many have, or the rare ones
-- from `term` on, one after the other: `counts` says how many each of them has, in four bytes.
CREATE TABLE segments (
  owner integer NOT NULL, build integer NOT NULL, segment integer NOT NULL, chunks integer NOT NULL,
  PRIMARY KEY (owner, build, segment)
);
CREATE TABLE postings (
  owner integer NOT NULL, build integer NOT NULL, segment integer NOT NULL, term text COLLATE "C" NOT NULL,
  terms text COLLATE "C" NOT NULL, counts bytea NOT NULL, body bytea NOT NULL,
  PRIMARY KEY (owner, build, segment, term)
) PARTITION BY HASH (owner);
ALTER TABLE postings ALTER COLUMN body SET STORAGE EXTERNAL, ALTER COLUMN counts SET STORAGE MAIN;
-- How many Chunks with a term are gone whose postings are still there.
CREATE TABLE removed (
  owner integer NOT NULL, build integer NOT NULL, term text COLLATE "C" NOT NULL, n integer NOT NULL,
  PRIMARY KEY (owner, build, term)
);

-- Which models an owner's index keeps count of, and the Chunks that have no vector of them.
CREATE TABLE models (
  owner integer NOT NULL, build integer NOT NULL, model integer NOT NULL, waiting integer NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, build, model)
);
CREATE TABLE waiting (
  owner integer NOT NULL, build integer NOT NULL, model integer NOT NULL, run text COLLATE "C" NOT NULL,
  chunk bigint NOT NULL, PRIMARY KEY (owner, build, model, run, chunk)
);
CREATE INDEX waiting_by_chunk ON waiting (owner, build, chunk);

-- `ending` is the path with its parts in reverse: whatever ends alike stands together.
CREATE TABLE touches (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, turn integer NOT NULL,
  step integer NOT NULL, path text COLLATE "C" NOT NULL, ending text COLLATE "C" NOT NULL, changed boolean NOT NULL,
  tool text NOT NULL, at float8
) PARTITION BY HASH (owner);
CREATE INDEX touches_by_place ON touches (owner, build, run, turn);
CREATE INDEX touches_by_name ON touches (owner, build, hashtextextended(split_part(ending, '/', 1), 0));

-- `digest` stands for a text that may be longer than a tree takes.
CREATE TABLE prompts (
  owner integer NOT NULL, build integer NOT NULL, digest uuid NOT NULL, run text COLLATE "C" NOT NULL,
  native_id text NOT NULL, turn integer NOT NULL, steps integer NOT NULL, PRIMARY KEY (owner, build, digest, run)
) PARTITION BY HASH (owner);
CREATE INDEX prompts_by_run ON prompts (owner, build, run, turn);

-- `changed` is the tick of its last change, `digest` of what it says: vectors of other words do not count. `spot`
-- stands for `place`, the project it holds in, or empty; `agents` is whom it is for, or empty; high,
-- observed and sure say how much it weighs. `level` is 90, 60 or 0, as sure as that at least; `said` is its title,
-- content and id, casefolded; `always`: it is a standing rule.
CREATE TABLE memories (
  owner integer NOT NULL, build integer NOT NULL, id text COLLATE "C" NOT NULL, state text NOT NULL, type text NOT NULL,
  scope text NOT NULL, project_key text NOT NULL, saved float8 NOT NULL, changed bigint NOT NULL, digest uuid NOT NULL,
  place text NOT NULL, spot bigint NOT NULL, high boolean NOT NULL, observed integer NOT NULL, sure integer NOT NULL,
  agents text NOT NULL, body text NOT NULL, project text COLLATE "C" NOT NULL, category text COLLATE "C" NOT NULL,
  level integer NOT NULL, formed float8 NOT NULL, seen float8 NOT NULL, said text NOT NULL,
  cued uuid, always boolean NOT NULL, filed text NOT NULL, filed_key text NOT NULL, PRIMARY KEY (owner, build, id)
) PARTITION BY HASH (owner);
CREATE INDEX memories_by_filing ON memories (owner, build, hashtextextended(filed_key, 0));
CREATE INDEX memories_by_weight ON memories (owner, build, spot, high DESC, observed DESC, sure DESC, id)
  WHERE state = 'active';
CREATE INDEX memories_standing ON memories (owner, build, spot, observed DESC, sure DESC, id)
  WHERE state = 'active' AND always;
CREATE INDEX memories_by_state ON memories (owner, build, state, saved DESC);
CREATE INDEX memories_by_change ON memories (owner, build, changed);
CREATE INDEX memories_by_seen ON memories (owner, build, seen DESC, formed DESC, id);
CREATE INDEX memories_by_forming ON memories (owner, build, formed);
-- A tick for every change of an owner's Memories or of a vector of one, so that whoever keeps them in mind reads what is
-- new; `gone` is when one was last dropped. Who ticks has the row until the commit: a later tick is never seen before an
-- earlier one.
CREATE TABLE memory_clocks (
  owner integer NOT NULL, build integer NOT NULL, tick bigint NOT NULL DEFAULT 0, gone bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (owner, build)
);
-- `raw` stands for the casefolded words.
CREATE TABLE mentions (
  owner integer NOT NULL, build integer NOT NULL, raw uuid NOT NULL, memory text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, build, raw, memory)
);
CREATE INDEX mentions_by_memory ON mentions (owner, build, memory);
-- Whom and what each names, as it is written: the slug of what is known, the words of what is not.
CREATE TABLE names_in (
  owner integer NOT NULL, build integer NOT NULL, memory text COLLATE "C" NOT NULL, known boolean NOT NULL,
  type text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL
);
CREATE INDEX names_in_by_memory ON names_in (owner, build, memory);
CREATE INDEX names_in_by_name ON names_in (owner, build, hashtextextended(name, 0));
-- Of active ones: what they are about (`kind` stands for the type, `digest` for all of it), and their words.
CREATE TABLE subjects (
  owner integer NOT NULL, build integer NOT NULL, memory text COLLATE "C" NOT NULL, digest uuid NOT NULL,
  kind uuid NOT NULL, slug text COLLATE "C" NOT NULL, PRIMARY KEY (owner, build, memory, digest)
);
CREATE INDEX subjects_by_kind ON subjects (owner, build, kind);
CREATE TABLE memory_words (
  owner integer NOT NULL, build integer NOT NULL, spot bigint NOT NULL, term text COLLATE "C" NOT NULL,
  memory text COLLATE "C" NOT NULL, PRIMARY KEY (owner, build, spot, term, memory)
) PARTITION BY HASH (owner);
CREATE INDEX memory_words_by_memory ON memory_words (owner, build, memory);
-- Runs that Memories stand on.
CREATE TABLE memory_runs (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, build, run, memory)
);
CREATE INDEX memory_runs_by_memory ON memory_runs (owner, build, memory);
CREATE TABLE memory_vectors (
  owner integer NOT NULL, build integer NOT NULL, model text COLLATE "C" NOT NULL, memory text COLLATE "C" NOT NULL,
  digest uuid NOT NULL, halves bytea NOT NULL, at float8 NOT NULL, PRIMARY KEY (owner, build, model, memory)
) PARTITION BY HASH (owner);
ALTER TABLE memory_vectors ALTER COLUMN halves SET STORAGE PLAIN;
-- All Cues of a Memory, one after the other, a byte for each number; `digest` is its `cued`.
CREATE TABLE cue_vectors (
  owner integer NOT NULL, build integer NOT NULL, memory text COLLATE "C" NOT NULL, model text COLLATE "C" NOT NULL,
  digest uuid NOT NULL, octets bytea NOT NULL, PRIMARY KEY (owner, build, memory, model)
) PARTITION BY HASH (owner);
ALTER TABLE cue_vectors ALTER COLUMN octets SET STORAGE EXTERNAL;
-- Up to which tick no Memory waits for this model, and none for its Cues.
CREATE TABLE memory_models (
  owner integer NOT NULL, build integer NOT NULL, model text COLLATE "C" NOT NULL, served bigint NOT NULL DEFAULT 0,
  cued bigint NOT NULL DEFAULT 0, PRIMARY KEY (owner, build, model)
);

-- Windows that were read: from the journal, also of Runs that are not indexed.
CREATE TABLE caught (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, "window" text COLLATE "C" NOT NULL,
  extractor text COLLATE "C" NOT NULL, PRIMARY KEY (owner, build, run, "window", extractor)
);
CREATE TABLE looked (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, generation integer NOT NULL,
  size bigint NOT NULL, turn integer NOT NULL, closed boolean NOT NULL, PRIMARY KEY (owner, build, run)
);

-- `digest` stands for type and slug.
CREATE TABLE entities (
  owner integer NOT NULL, build integer NOT NULL, digest uuid NOT NULL, type text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL, body text NOT NULL, PRIMARY KEY (owner, build, digest)
);
-- `digest` stands for the casefolded words and the project.
CREATE TABLE name_answers (
  owner integer NOT NULL, build integer NOT NULL, digest uuid NOT NULL, raw text COLLATE "C" NOT NULL,
  project_key text COLLATE "C" NOT NULL, body text NOT NULL, PRIMARY KEY (owner, build, digest)
);

CREATE TABLE results (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, at float8 NOT NULL,
  body text NOT NULL, PRIMARY KEY (owner, build, run)
);
CREATE TABLE credited (
  owner integer NOT NULL, build integer NOT NULL, memory text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL,
  PRIMARY KEY (owner, build, memory, run)
);
CREATE INDEX credited_by_run ON credited (owner, build, run);

CREATE TABLE recalls (
  owner integer NOT NULL, build integer NOT NULL, id text COLLATE "C" NOT NULL, at float8 NOT NULL,
  run text COLLATE "C" NOT NULL, cwd text NOT NULL, outcome text NOT NULL, body text NOT NULL,
  PRIMARY KEY (owner, build, id)
) PARTITION BY HASH (owner);
CREATE INDEX recalls_by_time ON recalls (owner, build, at DESC);
CREATE INDEX recalls_by_run ON recalls (owner, build, run, at);
CREATE TABLE feedback (
  owner integer NOT NULL, build integer NOT NULL, id text COLLATE "C" NOT NULL, recall text COLLATE "C" NOT NULL,
  memory text COLLATE "C" NOT NULL, at float8 NOT NULL, body text NOT NULL, PRIMARY KEY (owner, build, id)
);
CREATE INDEX feedback_by_memory ON feedback (owner, build, memory, at);
-- In which Runs a Memory was told, and when last.
CREATE TABLE recalled (
  owner integer NOT NULL, build integer NOT NULL, memory text COLLATE "C" NOT NULL, run text COLLATE "C" NOT NULL,
  at float8 NOT NULL, PRIMARY KEY (owner, build, memory, run)
);
CREATE INDEX recalled_by_time ON recalled (owner, build, at);

-- Archived ahead of indexed is the work to do; size -1: to be indexed from its beginning.
CREATE TABLE marks (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, archived_generation integer NOT NULL,
  archived_size bigint NOT NULL, moved float8 NOT NULL, generation integer NOT NULL DEFAULT 0,
  size bigint NOT NULL DEFAULT -1, turn integer NOT NULL DEFAULT 0, rules text NOT NULL DEFAULT '',
  PRIMARY KEY (owner, build, run)
);
CREATE INDEX marks_to_do ON marks (owner, build, moved)
  WHERE generation <> archived_generation OR size <> archived_size;
CREATE TABLE bookmarks (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, generation integer NOT NULL,
  "offset" bigint NOT NULL, state bytea NOT NULL, PRIMARY KEY (owner, build, run)
);
CREATE TABLE journal_read (
  owner integer NOT NULL, build integer NOT NULL, file text COLLATE "C" NOT NULL, "offset" bigint NOT NULL,
  PRIMARY KEY (owner, build, file)
);
CREATE TABLE checkpoints (
  owner integer NOT NULL, build integer NOT NULL, digest uuid NOT NULL, path text NOT NULL, signature text NOT NULL,
  PRIMARY KEY (owner, build, digest)
);
CREATE TABLE bars (
  owner integer NOT NULL, build integer NOT NULL, run text COLLATE "C" NOT NULL, reason text NOT NULL,
  PRIMARY KEY (owner, build, run)
);
CREATE TABLE notes (
  owner integer NOT NULL, build integer NOT NULL, name text COLLATE "C" NOT NULL, value text NOT NULL,
  PRIMARY KEY (owner, build, name)
);

-- What people said stands in these tables and nowhere else: the planner's statistics take no samples of it.
ALTER TABLE runs ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN native_id SET STATISTICS 0;
ALTER TABLE labels ALTER COLUMN title SET STATISTICS 0;
ALTER TABLE chunks ALTER COLUMN text SET STATISTICS 0;
ALTER TABLE unwritten ALTER COLUMN terms SET STATISTICS 0;
ALTER TABLE postings ALTER COLUMN term SET STATISTICS 0, ALTER COLUMN terms SET STATISTICS 0,
  ALTER COLUMN body SET STATISTICS 0, ALTER COLUMN counts SET STATISTICS 0;
ALTER TABLE removed ALTER COLUMN term SET STATISTICS 0;
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
