-- +goose Up
-- Appointments with a slot. Pending, confirmed and arrived ones have a place in the slot of their day and time. place is
-- also NULL for appointments of days before this migration.
ALTER TABLE appointments
  ADD COLUMN service_id     uuid, -- NULL: a service that did not exist any more
  ADD COLUMN consultant_id  text, -- the consultant that the client asked for; NULL: none
  ADD COLUMN place          integer,
  ADD COLUMN language       text NOT NULL DEFAULT '',
  ADD COLUMN messages       boolean NOT NULL DEFAULT false, -- whether the client agrees to text messages
  ADD COLUMN source         text NOT NULL DEFAULT 'page',
  ADD COLUMN sequence       integer NOT NULL DEFAULT 0, -- SEQUENCE of the entry in the client's calendar
  ADD COLUMN version        bigint NOT NULL DEFAULT 0, -- 0 only in the row that an older release is inserting
  ADD COLUMN moves          integer NOT NULL DEFAULT 0, -- moves by the client
  ADD COLUMN visit_id       uuid, -- the visit of an arrived appointment
  ADD COLUMN ended_at       timestamptz,
  ADD COLUMN request_key    bytea, -- digest of the caller and the idempotency key
  ADD COLUMN request_digest bytea, -- digest of the request with this key
  ADD COLUMN undo           jsonb; -- the last change, while it can be undone: who made it, when, and what it replaced

-- An older release writes four of the statuses only.
ALTER TABLE appointments DROP CONSTRAINT appointments_status_check;
ALTER TABLE appointments
  ADD CONSTRAINT appointments_status_known CHECK (status IN
    ('pending', 'confirmed', 'arrived', 'no-show', 'cancelled', 'declined', 'done')) NOT VALID,
  ADD CONSTRAINT appointments_source_known CHECK (source IN ('page', 'desk')) NOT VALID,
  ADD CONSTRAINT appointments_place_held CHECK (place IS NULL OR place >= 1 AND status IN
    ('pending', 'confirmed', 'arrived')) NOT VALID;

UPDATE appointments a SET version = 1, place = held.place,
  service_id = (SELECT s.id FROM services s WHERE s.name = a.service)
FROM (
  SELECT id, CASE WHEN status IN ('pending', 'confirmed') AND preferred_date >= current_date - 1
    THEN row_number() OVER (PARTITION BY preferred_date, preferred_time, status IN ('pending', 'confirmed')
      ORDER BY created_at, id) END AS place
  FROM appointments
) held
WHERE held.id = a.id;

-- A replica of an older release does not know the columns above. It inserts rows without a version, and changes the
-- status or erases without a new version. Its rows get the lowest free place, even above the capacity, because it has
-- accepted the request already. Changes with a new version have the whole row.
-- +goose StatementBegin
CREATE FUNCTION appointments_of_older_releases() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.version > 0 THEN
      RETURN NEW;
    END IF;
    NEW.version := 1;
    NEW.service_id := (SELECT s.id FROM services s WHERE s.name = NEW.service);
    IF NEW.status IN ('pending', 'confirmed') THEN
      PERFORM pg_advisory_xact_lock(
        hashtextextended('slot:' || to_char(NEW.preferred_date, 'YYYY-MM-DD') || ' ' || NEW.preferred_time, 0));
      NEW.place := (
        WITH held AS (
          SELECT place FROM appointments
          WHERE preferred_date = NEW.preferred_date AND preferred_time = NEW.preferred_time AND place IS NOT NULL
            AND status IN ('pending', 'confirmed', 'arrived')
        )
        SELECT min(n) FROM generate_series(1, (SELECT count(*)::integer + 1 FROM held)) n
        WHERE n NOT IN (SELECT place FROM held));
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.version <> OLD.version OR NEW.status = OLD.status AND NEW.erased_at IS NOT DISTINCT FROM OLD.erased_at THEN
    RETURN NEW;
  END IF;
  NEW.version := OLD.version + 1;
  NEW.undo := NULL;
  IF NEW.erased_at IS DISTINCT FROM OLD.erased_at THEN
    NEW.language := '';
    NEW.messages := false;
    NEW.request_key := NULL;
    NEW.request_digest := NULL;
    IF NEW.status IN ('pending', 'confirmed') THEN
      NEW.status := 'cancelled';
      NEW.sequence := OLD.sequence + 1;
    END IF;
  END IF;
  IF NEW.status NOT IN ('pending', 'confirmed', 'arrived') THEN
    NEW.place := NULL;
    NEW.ended_at := coalesce(OLD.ended_at, now());
  END IF;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER appointments_of_older_releases BEFORE INSERT OR UPDATE OF status, erased_at ON appointments
  FOR EACH ROW EXECUTE FUNCTION appointments_of_older_releases();
