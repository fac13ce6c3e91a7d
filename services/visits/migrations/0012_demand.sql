-- +goose Up
-- The calendar of due dates, copied from directory's events, for the forecast of arrivals. A replica of the previous
-- release does not use it and does not write the group of a service.
ALTER TABLE services ADD COLUMN due_group text; -- NULL: derived from the service's name

CREATE TABLE due_dates (
  id         uuid PRIMARY KEY,
  due_group  text NOT NULL,
  due_on     date, -- NULL: due every year, on a day of the given months
  months     integer[] NOT NULL,
  day        integer NOT NULL,
  moved_from date,
  moved_to   date,
  is_active  boolean NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON due_dates TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
