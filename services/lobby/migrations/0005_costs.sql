-- +goose Up
-- The messages that were sent over a channel on a day of the office, and their cost in hundredths of a paisa at the
-- prices of that day. Rows stay when deliveries are deleted, and do not refer to visits.
CREATE TABLE costs (
  day        date NOT NULL,
  channel    text NOT NULL,
  sent       integer NOT NULL,
  hundredths bigint NOT NULL,
  PRIMARY KEY (day, channel)
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON costs TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
