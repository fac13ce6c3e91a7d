-- +goose Up
-- The stage of each visit (NULL: only the status is known), and the other values of a visit that the detailed export
-- and the figures need.
ALTER TABLE visits ADD COLUMN stage text, ADD COLUMN class text, ADD COLUMN called_at timestamptz,
  ADD COLUMN call_count integer, ADD COLUMN session_seconds integer;

-- The number of visits in each of the stages that share a status. approved_visits and denied_visits still count all
-- visits with these statuses.
ALTER TABLE daily_statistics
  ADD COLUMN called_visits bigint NOT NULL DEFAULT 0, ADD COLUMN held_visits bigint NOT NULL DEFAULT 0,
  ADD COLUMN missed_visits bigint NOT NULL DEFAULT 0, ADD COLUMN left_visits bigint NOT NULL DEFAULT 0,
  ADD COLUMN no_show_visits bigint NOT NULL DEFAULT 0, ADD COLUMN cancelled_visits bigint NOT NULL DEFAULT 0;
ALTER TABLE daily_statistics ADD COLUMN waiting_visits bigint
  GENERATED ALWAYS AS (approved_visits - called_visits - held_visits - missed_visits) STORED;

-- A replica of an older release writes only the status. A stage that no longer matches the status is removed, and its
-- count is subtracted. A later release can remove this trigger.
-- +goose StatementBegin
CREATE FUNCTION remove_unfit_stages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM written WHERE status <> status_of_stage(stage)) THEN
    RETURN NULL;
  END IF;
  WITH unfit AS (
    UPDATE visits v SET stage = NULL FROM written w WHERE v.id = w.id AND w.status <> status_of_stage(w.stage)
    RETURNING w.day, w.stage
  ), moved AS (
    SELECT day, count(*) FILTER (WHERE stage = 'called') AS called, count(*) FILTER (WHERE stage = 'held') AS held,
      count(*) FILTER (WHERE stage = 'missed') AS missed, count(*) FILTER (WHERE stage = 'left') AS gone,
      count(*) FILTER (WHERE stage = 'no-show') AS no_show, count(*) FILTER (WHERE stage = 'cancelled') AS cancelled
    FROM unfit GROUP BY day
  )
  UPDATE daily_statistics d SET called_visits = called_visits - called, held_visits = held_visits - held,
    missed_visits = missed_visits - missed, left_visits = left_visits - gone,
    no_show_visits = no_show_visits - no_show, cancelled_visits = cancelled_visits - cancelled
  FROM moved WHERE d.day = moved.day;
  RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION status_of_stage(stage text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN stage IN ('waiting', 'called', 'held', 'missed') THEN 'approved'
    WHEN stage IN ('left', 'no-show', 'cancelled') THEN 'denied' ELSE stage END;
$$;
-- +goose StatementEnd

CREATE TRIGGER visits_fit AFTER UPDATE ON visits REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION remove_unfit_stages();
