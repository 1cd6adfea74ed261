-- KEYS: sharers. ARGV: holder, lease in milliseconds.
-- Returns 1 when the lease stood, then the names of all live edges.
local former = redis.call('ZSCORE', KEYS[1], ARGV[1])
local stood = former and tonumber(former) > now
if former and not stood then
  -- Redis was down for this edge, and no other edge noticed: it was down for all of them, and each will renew now.
  for _, name in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('ZADD', KEYS[1], now + ARGV[2], name) end
else
  -- First: a Redis whose memory is full refuses what adds data, but not after another write of the same script. A renewal that passes would
  -- say that limits can be leased.
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
end
local names = redis.call('ZRANGE', KEYS[1], 0, -1)
table.insert(names, 1, stood and '1' or '0')
return names
