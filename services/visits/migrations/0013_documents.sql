-- +goose Up
-- The papers of a visit: which of the service's checklist the visitor has brought, and what was left at the office. The
-- row is kept when the visit is erased, because versions are not used again. A replica of the release before does not
-- use the table.
CREATE TABLE visit_documents (
  visit_id  uuid PRIMARY KEY REFERENCES visits (id),
  documents jsonb NOT NULL,
  summary   jsonb NOT NULL, -- what the lists of visits show
  version   bigint NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON visit_documents TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
