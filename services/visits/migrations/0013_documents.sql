-- +goose Up
-- The papers of a visit: which papers of the service's checklist the visitor has brought, and which were left at the
-- office. The row is kept when the visit is erased, so that no version is used twice. A replica of the previous release
-- does not use the table.
CREATE TABLE visit_documents (
  visit_id  uuid PRIMARY KEY REFERENCES visits (id),
  documents jsonb NOT NULL,
  summary   jsonb NOT NULL, -- the part that lists of visits show
  version   bigint NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON visit_documents TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
