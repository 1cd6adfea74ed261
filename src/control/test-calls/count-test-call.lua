-- KEYS: test calls of the organization. ARGV: now, most, milliseconds of the window, call id.
-- Counts a test call unless the organization reached its limit. Returns 0, or the milliseconds until the next one is allowed.
local now = tonumber(ARGV[1])
if redis.call('ZSCORE', KEYS[1], ARGV[4]) then return 0 end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[3]))
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return math.max(1, tonumber(first[2]) + tonumber(ARGV[3]) - now)
end
redis.call('ZADD', KEYS[1], now, ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0
