-- +goose Up
-- The settings of the office document that auth uses, as directory's events have them.
CREATE TABLE office_copy (
  only_row     boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version      bigint NOT NULL, -- the document's; 0: a new epoch of directory is not read yet
  brand        text NOT NULL,
  languages    text[] NOT NULL,
  registration text NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON office_copy TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
