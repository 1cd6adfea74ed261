-- KEYS: call, line, waiting, taken. ARGV: owner, call id, seconds that taken calls are kept.
-- Returns the command when the call was waiting; it is the owner's now.
if redis.call('HEXISTS', KEYS[1], 'claimed_by') == 1 then return false end
if redis.call('ZREM', KEYS[2], ARGV[2]) == 0 then return false end
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[1], 'claimed_by', ARGV[1])
redis.call('SADD', KEYS[4], ARGV[2])
redis.call('EXPIRE', KEYS[4], ARGV[3])
return redis.call('HGET', KEYS[1], 'command')
