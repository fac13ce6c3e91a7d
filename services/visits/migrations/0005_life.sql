-- +goose Up
-- The stages of a visit. Replicas of the previous release still write only the status; the trigger sets a stage that
-- matches it. A later release removes the trigger. Every ADD COLUMN has a constant default or none, so no table is
-- rewritten.
ALTER TABLE visits
  ADD COLUMN stage           text,
  ADD COLUMN class           text NOT NULL DEFAULT 'normal',
  ADD COLUMN pinned          boolean NOT NULL DEFAULT false,
  ADD COLUMN rank_at         timestamptz,
  ADD COLUMN due_at          timestamptz,
  ADD COLUMN moved_due       timestamptz,
  ADD COLUMN moved_by        text NOT NULL DEFAULT '',
  ADD COLUMN moved_reason    text NOT NULL DEFAULT '',
  ADD COLUMN moved_forced    boolean NOT NULL DEFAULT false,
  ADD COLUMN bypassed        integer NOT NULL DEFAULT 0,
  ADD COLUMN passed_by_hand  integer NOT NULL DEFAULT 0,
  ADD COLUMN counter         text NOT NULL DEFAULT '',
  ADD COLUMN called_at       timestamptz,
  ADD COLUMN called_by       text,
  ADD COLUMN call_count      integer NOT NULL DEFAULT 0,
  ADD COLUMN missed_count    integer NOT NULL DEFAULT 0,
  ADD COLUMN held_at         timestamptz,
  ADD COLUMN held_reason     text NOT NULL DEFAULT '',
  ADD COLUMN held_note       text NOT NULL DEFAULT '',
  ADD COLUMN held_until      timestamptz,
  ADD COLUMN ended_at        timestamptz,
  ADD COLUMN ended_by        text,
  ADD COLUMN transfers       integer NOT NULL DEFAULT 0,
  ADD COLUMN sat_since       timestamptz,
  ADD COLUMN session_seconds integer NOT NULL DEFAULT 0,
  ADD COLUMN sittings        integer NOT NULL DEFAULT 0,
  ADD COLUMN appointment_id  uuid,
  ADD COLUMN appointment_at  timestamptz,
  ADD COLUMN corrected_at    timestamptz;

-- A visit that waits for any consultant has no consultant. A visit that is on hold or missed may also have none.
ALTER TABLE visits DROP CONSTRAINT visits_check1;

-- +goose StatementBegin
CREATE FUNCTION visits_stage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.rank_at := coalesce(NEW.rank_at, NEW.created_at);
  IF NEW.stage IS NOT NULL AND NEW.status = (CASE
      WHEN NEW.stage IN ('waiting', 'called', 'held', 'missed') THEN 'approved'
      WHEN NEW.stage IN ('left', 'no-show', 'cancelled') THEN 'denied'
      ELSE NEW.stage END) THEN
    RETURN NEW;
  END IF;
  NEW.stage := CASE NEW.status WHEN 'approved' THEN 'waiting' ELSE NEW.status END;
  IF NEW.stage = 'waiting' THEN
    NEW.pinned := true;
    NEW.due_at := coalesce(NEW.due_at, NEW.rank_at + interval '30 minutes');
  ELSIF NEW.stage = 'in-session' THEN
    NEW.sat_since := NEW.updated_at;
    NEW.sittings := NEW.sittings + 1;
  ELSIF NEW.stage = 'completed' AND NEW.sat_since IS NOT NULL THEN
    NEW.session_seconds := NEW.session_seconds + greatest(0, extract(epoch FROM NEW.completed_at - NEW.sat_since))::int;
    NEW.sat_since := NULL;
  END IF;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER visits_stage BEFORE INSERT OR UPDATE ON visits FOR EACH ROW EXECUTE FUNCTION visits_stage();

-- A consultant's desk. The row is inserted when the desk's state is set for the first time.
CREATE TABLE desks (
  consultant_id text PRIMARY KEY,
  state         text NOT NULL CHECK (state IN ('open', 'break', 'last', 'off')),
  counter       text NOT NULL DEFAULT '',
  since         timestamptz NOT NULL,
  until         timestamptz,
  back_at       timestamptz,
  changed_by    text NOT NULL,
  version       bigint NOT NULL DEFAULT 1
);

-- The copy of directory: the services that a consultant serves (NULL: not read yet), the rules of the line, the opening
-- hours, and the appointments of any status, without the data of persons.
ALTER TABLE consultants ADD COLUMN serves uuid[];
ALTER TABLE office ADD COLUMN policy jsonb, ADD COLUMN hours jsonb;
CREATE TABLE appointments (
  id           uuid PRIMARY KEY,
  service_name text NOT NULL,
  slot         timestamp NOT NULL, -- time in the office's zone
  status       text NOT NULL
);

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE ON desks TO %I', current_setting('baari.app_role'));
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON appointments TO %I', current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd
