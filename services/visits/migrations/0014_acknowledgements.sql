-- +goose Up
-- Receipts for papers that visitors leave at the office. They are numbered 1, 2, … in each calendar year, without gaps:
-- the counter's row is locked until the commit. A replica of the previous release does not use the tables.
CREATE TABLE acknowledgement_counter (
  year integer PRIMARY KEY, -- year of the office's day
  last integer NOT NULL
);

CREATE TABLE acknowledgements (
  year      integer NOT NULL,
  no        integer NOT NULL,
  visit_id  uuid NOT NULL REFERENCES visits (id),
  documents jsonb NOT NULL, -- the papers as they were when left; [] after an erasure
  given_at  timestamptz NOT NULL,
  given_by  text NOT NULL,
  by_name   text NOT NULL,
  PRIMARY KEY (year, no)
);
CREATE INDEX acknowledgements_visit ON acknowledgements (visit_id);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON acknowledgement_counter, acknowledgements TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
