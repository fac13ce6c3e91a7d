-- +goose Up
-- The day (in the office's time zone) on which old data was last erased. One replica locks the row while it erases.
CREATE TABLE retention_night (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  day      date NOT NULL
);
INSERT INTO retention_night (day) VALUES ('epoch');

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, UPDATE ON retention_night TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
