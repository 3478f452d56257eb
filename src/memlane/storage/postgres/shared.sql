-- What all indexes of a database share, and what outlives each of them.

CREATE TABLE IF NOT EXISTS indexes (
  name text COLLATE "C" PRIMARY KEY, version integer NOT NULL, number integer NOT NULL,
  state text NOT NULL CHECK (state IN ('begun', 'serves', 'retired')), since timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS indexes_one_serves ON indexes (state) WHERE state = 'serves';

-- Owners and models stand in many rows, each in four bytes. A number is never given twice.
CREATE TABLE IF NOT EXISTS names (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
);
-- Each model has its vectors in a table of its own: vectors_<model>.
CREATE TABLE IF NOT EXISTS vector_tables (model integer PRIMARY KEY, dimension integer NOT NULL);
