-- +goose Up
-- Clients follow the list of consultants: they read only what has changed. changed is the last transaction that changed
-- an entry of the list. placed is the last transaction that changed the entry's place. Triggers set both, also for rows
-- that a replica of an older release writes.
ALTER TABLE consultants
  ADD COLUMN changed xid8 NOT NULL DEFAULT pg_current_xact_id(),
  ADD COLUMN placed  xid8 NOT NULL DEFAULT pg_current_xact_id();

-- +goose StatementBegin
CREATE FUNCTION consultants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  IF NEW.name <> OLD.name THEN
    NEW.placed := NEW.changed;
  END IF;
  RETURN NEW;
END
$$;

CREATE FUNCTION consultants_loaded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE consultants SET changed = DEFAULT;
  ELSIF TG_OP = 'INSERT' THEN
    UPDATE consultants SET changed = DEFAULT WHERE id IN (SELECT consultant_id FROM after);
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE consultants SET changed = DEFAULT WHERE id IN (SELECT consultant_id FROM before);
  ELSE
    UPDATE consultants SET changed = DEFAULT
    WHERE id IN (SELECT consultant_id FROM before UNION ALL SELECT consultant_id FROM after);
  END IF;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER consultants_changed BEFORE UPDATE ON consultants FOR EACH ROW EXECUTE FUNCTION consultants_changed();

-- A consultant's load changes with the assigned visits.
CREATE TRIGGER assigned_visits_added AFTER INSERT ON assigned_visits REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION consultants_loaded();
CREATE TRIGGER assigned_visits_changed AFTER UPDATE ON assigned_visits
  REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION consultants_loaded();
CREATE TRIGGER assigned_visits_removed AFTER DELETE ON assigned_visits REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION consultants_loaded();
CREATE TRIGGER assigned_visits_emptied AFTER TRUNCATE ON assigned_visits
  FOR EACH STATEMENT EXECUTE FUNCTION consultants_loaded();
