-- KEYS: lease, held calls and open calls of the dead holder, its adoption mark, its held calls that wait for an adopter; held calls and
--   open calls of the adopter; holders, owners of open calls.
-- ARGV: dead holder, adopter, 1 to adopt although the lease stands, facts of the adopter, milliseconds that held calls and
--   marks live, the most calls to give.
-- Gives some of the held calls of one holder to another; several may share them. Returns fields and values, how many are left, and after
-- the last one the ids of its other calls, which have no record; or nil when there are none to be had.
if redis.replicate_commands then redis.replicate_commands() end
if redis.call('EXISTS', KEYS[4]) == 1 then
  if redis.call('EXISTS', KEYS[5]) == 0 then return false end
else
  if ARGV[3] ~= '1' and redis.call('EXISTS', KEYS[1]) == 1 then return false end
  redis.call('SET', KEYS[4], ARGV[2], 'PX', ARGV[5])
  redis.call('DEL', KEYS[1])
  if redis.call('EXISTS', KEYS[2]) == 1 then redis.call('RENAME', KEYS[2], KEYS[5]) end
end
local held = {}
if redis.call('EXISTS', KEYS[5]) == 1 then held = redis.call('HRANDFIELD', KEYS[5], ARGV[6], 'WITHVALUES') end
for at = 1, #held, 2 do
  redis.call('HSET', KEYS[6], held[at], held[at + 1])
  redis.call('HDEL', KEYS[5], held[at])
  local open = redis.call('HGET', KEYS[3], held[at])
  if open then
    redis.call('HSET', KEYS[7], held[at], open)
    redis.call('HDEL', KEYS[3], held[at])
  end
end
redis.call('HSET', KEYS[8], ARGV[2], ARGV[4])
if #held > 0 then
  redis.call('PEXPIRE', KEYS[6], ARGV[5])
  redis.call('PEXPIRE', KEYS[7], ARGV[5])
  redis.call('SADD', KEYS[9], ARGV[2])
end
local left = redis.call('HLEN', KEYS[5])
if left > 0 then return {held, left, {}} end
redis.call('HDEL', KEYS[8], ARGV[1])
return {held, 0, redis.call('HKEYS', KEYS[3])}
