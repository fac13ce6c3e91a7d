-- Pages that the statements touched that ran exactly $1 times, for each run.
SELECT coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 / $1 FROM pg_stat_statements
WHERE calls = $1 AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
