-- KEYS: ready edges, lease of the edge. ARGV: owner, lease in milliseconds, 1 when it takes orders. Returns 1 when the lease stood.
local stood = redis.call('EXISTS', KEYS[2])
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
if ARGV[3] == '1' then redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
return stood
