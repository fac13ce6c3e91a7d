-- +goose Up
-- The role that can only remove values from the trail. The launcher or an administrator creates it and grants it to the
-- owner; an owner with CREATEROLE creates it here. Without this role, the owner owns the function below.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE ROLE audit_retention NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN
  NULL;
END
$$;
-- +goose StatementEnd

-- redact_erased removes the values from a subject's records that precede the record of its erasure. The chain covers
-- the values' digests, which remain.
-- +goose StatementBegin
CREATE FUNCTION redact_erased(subject text, subject_id text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE audit_records r SET
    old_values = CASE WHEN r.old_values IS NOT NULL THEN '{"redacted":true}'::json END,
    new_values = CASE WHEN r.new_values IS NOT NULL THEN '{"redacted":true}'::json END
  WHERE r.entity = subject AND r.entity_id = subject_id AND r.action <> 'erased'
    AND r.n < (SELECT max(e.n) FROM audit_records e WHERE e.entity = subject AND e.entity_id = subject_id AND e.action = 'erased');
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
  REVOKE ALL ON FUNCTION redact_erased(text, text) FROM PUBLIC;
  EXECUTE format('GRANT EXECUTE ON FUNCTION redact_erased(text, text) TO %I', current_setting('baari.app_role'));
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'audit_retention') AND pg_has_role('audit_retention', 'MEMBER') THEN
    GRANT SELECT, UPDATE (old_values, new_values) ON audit_records TO audit_retention;
    GRANT CREATE ON SCHEMA public TO audit_retention;
    ALTER FUNCTION redact_erased(text, text) OWNER TO audit_retention;
    REVOKE CREATE ON SCHEMA public FROM audit_retention;
  END IF;
END
$$;
-- +goose StatementEnd
