-- +goose Up
-- How far this service has taken over the events of each source. The row moves in the transaction
-- that applies the events, so an event takes effect exactly once.
CREATE TABLE feed_cursor (
  source text PRIMARY KEY,
  epoch  text NOT NULL,
  seq    bigint NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON feed_cursor TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
