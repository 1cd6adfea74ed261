-- KEYS: lease, held calls and open calls of the dead holder, its adoption mark; held calls and open calls of the adopter;
--   holders, owners of open calls.
-- ARGV: dead holder, adopter, 1 to adopt although the lease stands, facts of the adopter, milliseconds that held calls and
--   marks live.
-- Gives the held calls of one holder to another, once. Returns fields and values, and the ids of its other calls, which have no
-- record; or nil when they are not to be had.
if ARGV[3] ~= '1' and redis.call('EXISTS', KEYS[1]) == 1 then return false end
if not redis.call('SET', KEYS[4], ARGV[2], 'NX', 'PX', ARGV[5]) then return false end
local held = redis.call('HGETALL', KEYS[2])
for at = 1, #held, 2 do
  redis.call('HSET', KEYS[5], held[at], held[at + 1])
  local open = redis.call('HGET', KEYS[3], held[at])
  if open then
    redis.call('HSET', KEYS[6], held[at], open)
    redis.call('HDEL', KEYS[3], held[at])
  end
end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('HDEL', KEYS[7], ARGV[1])
redis.call('HSET', KEYS[7], ARGV[2], ARGV[4])
if #held > 0 then
  redis.call('PEXPIRE', KEYS[5], ARGV[5])
  redis.call('PEXPIRE', KEYS[6], ARGV[5])
  redis.call('SADD', KEYS[8], ARGV[2])
end
return {held, redis.call('HKEYS', KEYS[3])}
