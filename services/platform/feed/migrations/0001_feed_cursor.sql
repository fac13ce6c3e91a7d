-- +goose Up
-- The position up to which this service has applied each source's events. The row is updated in the transaction that
-- applies them, so that an event takes effect exactly once.
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
