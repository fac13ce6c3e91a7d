-- +goose Up
-- Receipts for papers that visitors leave at the office. Numbers are 1, 2, … of a calendar year, without gaps: the row
-- of the counter is locked until the commit. A replica of the release before does not use the tables.
CREATE TABLE acknowledgement_counter (
  year integer PRIMARY KEY, -- year of the office day
  last integer NOT NULL
);

CREATE TABLE acknowledgements (
  year      integer NOT NULL,
  no        integer NOT NULL,
  visit_id  uuid NOT NULL REFERENCES visits (id),
  documents jsonb NOT NULL, -- the papers when they were left; [] after the erasure
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
