-- Included after clock.lua: a slot among the active calls, and a moment in time (GCRA).
-- most: calls (-1: any number); interval: milliseconds between two calls (0: any pace).
-- waitFor returns 0, or the milliseconds to wait.
local function waitFor(slots, rate, most, interval, burst)
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
  if most >= 0 and redis.call('ZCARD', slots) >= most then return 1000 end
  if interval <= 0 then return 0 end
  local at = tonumber(redis.call('GET', rate) or '0')
  local earliest = at - (burst - 1) * interval
  if earliest > now then return math.ceil(earliest - now) end
  redis.call('SET', rate, string.format('%.3f', math.max(at, now) + interval), 'PX', math.ceil(burst * interval) + 1000)
  return 0
end
local function occupy(slots, call, lease)
  redis.call('ZADD', slots, now + lease, call)
  redis.call('PEXPIRE', slots, lease * 2)
end
