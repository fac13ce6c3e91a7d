-- +goose Up
-- The calendar of due dates, copied from directory's events, for the forecast of arrivals. A replica of the release
-- before does not use it and leaves the group of a service as it is.
ALTER TABLE services ADD COLUMN due_group text; -- NULL: by the service's name

CREATE TABLE due_dates (
  id         uuid PRIMARY KEY,
  due_group  text NOT NULL,
  due_on     date, -- NULL: on a day of certain months in every year
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
