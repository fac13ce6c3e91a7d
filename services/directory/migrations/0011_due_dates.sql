-- +goose Up
-- The group of filings to which a service belongs; NULL: it follows from the name. A replica of an older release does
-- not change it.
ALTER TABLE services ADD COLUMN due_group text
  CHECK (due_group IN ('gst', 'tds', 'income_tax', 'audit', 'roc', 'other'));

-- The calendar of due dates. An entry is due on due_on, or on a day of some months of every year. If moved_from is set,
-- the government has moved that day of the entry to moved_to. The entries of a new database are not confirmed until an
-- admin has saved them.
CREATE TABLE due_dates (
  id         uuid PRIMARY KEY,
  due_group  text NOT NULL CHECK (due_group IN ('gst', 'tds', 'income_tax', 'audit', 'roc', 'other')),
  title      text NOT NULL CHECK (title <> ''),
  due_on     date,
  months     integer[] NOT NULL,
  day        integer NOT NULL,
  moved_from date,
  moved_to   date,
  source     text NOT NULL CHECK (source <> ''),
  checked_on date NOT NULL,
  confirmed  boolean NOT NULL,
  is_active  boolean NOT NULL,
  version    bigint NOT NULL,
  CHECK (CASE WHEN due_on IS NULL THEN cardinality(months) BETWEEN 1 AND 12 AND day BETWEEN 1 AND 31
    ELSE cardinality(months) = 0 AND day = 0 END),
  CHECK ((moved_from IS NULL) = (moved_to IS NULL))
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON due_dates TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
