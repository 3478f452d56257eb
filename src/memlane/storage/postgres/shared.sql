-- What all indexes of a database share, and what outlives each of them.

-- Which build of an owner's index serves, and which are being made or were replaced.
CREATE TABLE IF NOT EXISTS builds (
  owner integer NOT NULL, build integer NOT NULL, version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('begun', 'serves', 'retired')), since timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (owner, build)
);
-- One of each version: while a new version is being installed, the old one goes on.
DROP INDEX IF EXISTS builds_one_serves;
CREATE UNIQUE INDEX IF NOT EXISTS builds_serve ON builds (owner, version) WHERE state = 'serves';

-- Models stand in many rows, each in four bytes. A number is never given twice.
CREATE TABLE IF NOT EXISTS model_names (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
);
-- Each model has its vectors in tables of its own, by owner: vectors_<model>, signs_<model>.
CREATE TABLE IF NOT EXISTS vector_sizes (model integer PRIMARY KEY, dimension integer NOT NULL);
