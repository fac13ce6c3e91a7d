-- +goose Up
-- What a visitor was informed of and has agreed to, with a row for each notice and each consent. Rows are only
-- inserted, except that a withdrawal is stored in the consent's row, and the language is erased with the visit. A
-- replica of the previous release does not use the table.
CREATE TABLE consents (
  id             uuid PRIMARY KEY,
  visit_id       uuid NOT NULL REFERENCES visits (id),
  purpose        text NOT NULL CHECK (purpose IN ('serve', 'messages', 'later')),
  means          text NOT NULL CHECK (means IN ('read', 'aloud', 'slip', 'page')),
  notice_version text NOT NULL,
  language       text NOT NULL,
  given_at       timestamptz NOT NULL,
  given_by       text NOT NULL,
  given_by_name  text NOT NULL,
  withdrawn_at   timestamptz,
  withdrawn_by   text,
  withdrawn_by_name text,
  CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL) AND (withdrawn_at IS NULL) = (withdrawn_by_name IS NULL))
);
CREATE INDEX consents_visit ON consents (visit_id);
CREATE UNIQUE INDEX consents_open ON consents (visit_id, purpose) WHERE withdrawn_at IS NULL;

-- A withdrawal is final.
-- +goose StatementBegin
CREATE FUNCTION consents_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.withdrawn_at IS NOT NULL AND (NEW.withdrawn_at, NEW.withdrawn_by, NEW.withdrawn_by_name)
      IS DISTINCT FROM (OLD.withdrawn_at, OLD.withdrawn_by, OLD.withdrawn_by_name) THEN
    RAISE EXCEPTION 'a withdrawn consent does not change';
  END IF;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER consents_kept BEFORE UPDATE ON consents FOR EACH ROW EXECUTE FUNCTION consents_kept();

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT ON consents TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT UPDATE (language, withdrawn_at, withdrawn_by, withdrawn_by_name) ON consents TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
