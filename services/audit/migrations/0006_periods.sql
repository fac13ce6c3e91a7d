-- +goose Up
-- Waits and sessions are counted by day, so that the sums of a year are computed without reading its visits. As in
-- daily_statistics, each change of a visit adds the difference between its old and new state. Triggers do this, because
-- a replica of an older release does not write these tables.

-- Visits whose session has started, counted by the quarter of an hour in which they came (0 to 95, in UTC) and by the
-- minutes until the session, rounded up.
CREATE TABLE daily_waits (
  day        date NOT NULL,
  quarter    integer NOT NULL CHECK (quarter BETWEEN 0 AND 95),
  service_id text NOT NULL, -- '' if unknown, also in the table below
  minutes    integer NOT NULL,
  visits     integer NOT NULL,
  PRIMARY KEY (day, quarter, service_id, minutes)
);

CREATE TABLE daily_sessions (
  day             date NOT NULL,
  service_id      text NOT NULL,
  consultant_id   text NOT NULL, -- '': no consultant
  visits          bigint NOT NULL,
  sessions        bigint NOT NULL, -- completed visits with a session
  session_seconds double precision NOT NULL,
  PRIMARY KEY (day, service_id, consultant_id)
);

-- +goose StatementBegin
CREATE FUNCTION count_periods(became visits[], was visits[]) RETURNS void LANGUAGE sql AS $$
  WITH moved AS (
    SELECT day, coalesce(service_id, '') AS service_id, coalesce(consultant_id, '') AS consultant_id, created_at,
      started_at, completed_at, session_seconds, 1 AS sign FROM unnest(became)
    UNION ALL
    SELECT day, coalesce(service_id, ''), coalesce(consultant_id, ''), created_at, started_at, completed_at,
      session_seconds, -1 FROM unnest(was)
  ), waited AS (
    INSERT INTO daily_waits
    SELECT day, (extract(epoch FROM created_at)::bigint % 86400 / 900)::integer AS quarter, service_id,
      greatest(ceil(extract(epoch FROM started_at - created_at) / 60), 0)::integer AS minutes, sum(sign)
    FROM moved WHERE started_at IS NOT NULL
    GROUP BY 1, 2, 3, 4 HAVING sum(sign) <> 0
    ON CONFLICT (day, quarter, service_id, minutes) DO UPDATE SET visits = daily_waits.visits + EXCLUDED.visits
  )
  INSERT INTO daily_sessions
  SELECT day, service_id, consultant_id, sum(sign), coalesce(sum(sign) FILTER (WHERE completed_at > started_at), 0),
    coalesce(sum(sign * coalesce(nullif(session_seconds, 0), extract(epoch FROM completed_at - started_at)))
      FILTER (WHERE completed_at > started_at), 0)
  FROM moved GROUP BY 1, 2, 3
  ON CONFLICT (day, service_id, consultant_id) DO UPDATE SET
    visits = daily_sessions.visits + EXCLUDED.visits, sessions = daily_sessions.sessions + EXCLUDED.sessions,
    session_seconds = daily_sessions.session_seconds + EXCLUDED.session_seconds;
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_inserted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_periods((SELECT array_agg(w::visits) FROM written w), NULL);
  RETURN NULL;
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION count_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM count_periods((SELECT array_agg(w::visits) FROM written w), (SELECT array_agg(r::visits) FROM replaced r));
  RETURN NULL;
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION empty_periods() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE daily_waits, daily_sessions;
  RETURN NULL;
END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
DO $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, TRUNCATE ON daily_waits, daily_sessions TO %I',
    current_setting('baari.app_role'));
END
$$;
-- +goose StatementEnd

CREATE TRIGGER visits_inserted AFTER INSERT ON visits REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION count_inserted();
CREATE TRIGGER visits_updated AFTER UPDATE ON visits REFERENCING NEW TABLE AS written OLD TABLE AS replaced
  FOR EACH STATEMENT EXECUTE FUNCTION count_updated();
CREATE TRIGGER visits_emptied AFTER TRUNCATE ON visits FOR EACH STATEMENT EXECUTE FUNCTION empty_periods();

-- This counts one day at a time, because an array of all visits of several years would not fit into memory.
-- +goose StatementBegin
DO $$
DECLARE
  counted date;
BEGIN
  FOR counted IN SELECT DISTINCT day FROM visits LOOP
    PERFORM count_periods((SELECT array_agg(v) FROM visits v WHERE day = counted), NULL);
  END LOOP;
END
$$;
-- +goose StatementEnd
