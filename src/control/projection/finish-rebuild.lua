-- KEYS: projection, counter, index version. ARGV: database, epoch, channel, version of the index, channel of the index.
-- The projection is complete: from now on edges take an absent number for a deleted one. Returns 'foreign' or 0.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[2] then return 'foreign' end
redis.call('HSET', KEYS[1], 'database', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'total', 0)
redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('PUBLISH', ARGV[3], '*')
redis.call('PUBLISH', ARGV[5], '*')
return 0
