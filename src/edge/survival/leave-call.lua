-- KEYS: held calls, open calls and adoption mark of the holder that has the call; the same of the holder that it is left under;
--   holders, owners of open calls.
-- ARGV: holder, its facts, holder that it is left under, its facts, call id, the call's document, milliseconds that held calls live.
-- Leaves one call under a separate holder. Returns 1, also when that was done before; or 0 when another process has the calls.
if redis.call('EXISTS', KEYS[6]) == 1 or redis.call('HEXISTS', KEYS[7], ARGV[3]) == 1 then return 1 end
if redis.call('EXISTS', KEYS[3]) == 1 then return 0 end
redis.call('HDEL', KEYS[1], ARGV[5])
redis.call('HSET', KEYS[4], ARGV[5], ARGV[6])
redis.call('PEXPIRE', KEYS[4], ARGV[7])
local open = redis.call('HGET', KEYS[2], ARGV[5])
if open then
  redis.call('HDEL', KEYS[2], ARGV[5])
  redis.call('HSET', KEYS[5], ARGV[5], open)
  redis.call('PEXPIRE', KEYS[5], ARGV[7])
  redis.call('SADD', KEYS[8], ARGV[3])
end
redis.call('HSET', KEYS[7], ARGV[1], ARGV[2])
redis.call('HSET', KEYS[7], ARGV[3], ARGV[4])
return 1
