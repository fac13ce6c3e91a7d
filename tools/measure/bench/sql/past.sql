-- Visits @from to @to of past days, @day a day, the newest first, all before @today. One in ten was denied. Ids grow
-- with time, as those of the services do. The statements of fill_*.sql read it in place of {past}.
SELECT g, id, day, token_no, phone, status, at,
  CASE WHEN status = 'completed' THEN @consultant END AS consultant,
  CASE WHEN status = 'completed' THEN at + interval '10 minutes' END AS began,
  CASE WHEN status = 'completed' THEN at + interval '40 minutes' END AS ended
FROM (
  SELECT g, ('01900000-0000-7000-8000-' || lpad(to_hex(g), 12, '0'))::uuid AS id, day, token_no,
    '98' || lpad((g * 7919 % 100000000)::text, 8, '0') AS phone,
    CASE WHEN g % 10 = 0 THEN 'denied' ELSE 'completed' END AS status,
    (day + time '09:00' + token_no * interval '10 seconds') AT TIME ZONE 'Asia/Kolkata' AS at
  FROM (
    SELECT g, @today::date - 1 - ((g - 1) / @day)::integer AS day, ((g - 1) % @day)::integer + 1 AS token_no
    FROM generate_series(@from::bigint, @to::bigint) g
  ) numbered
) placed
