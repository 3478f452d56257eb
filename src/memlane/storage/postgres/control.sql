-- What outlives every index: owners are known by number everywhere, and a number is never given twice; and the leases of
-- workers, `until` in seconds since 1970 by the database's clock.
CREATE TABLE IF NOT EXISTS owners (
  n integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE IF NOT EXISTS work_leases (owner integer PRIMARY KEY, by text NOT NULL, until float8 NOT NULL);
