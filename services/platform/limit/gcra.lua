-- The generic cell rate algorithm (ITU-T I.371): the key holds the time, in microseconds, at which all requests so far
-- would have come at the rate. ARGV: microseconds between two requests at the rate; requests allowed at once.
-- Returns 0 if the request is allowed, else the microseconds until one is.
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local interval = tonumber(ARGV[1])
local due = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + interval
local wait = due - interval * ARGV[2] - now
if wait > 0 then
  return math.ceil(wait)
end
redis.call('SET', KEYS[1], string.format('%.0f', due), 'PX', math.ceil((due - now) / 1000))
return 0
