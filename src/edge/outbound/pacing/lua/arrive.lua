-- KEYS: call, line, lines, waiting, stream.
-- ARGV: group, entry, call id, number, command, until, score, seconds that the call is kept.
-- An order that arrived before leaves the stream and nothing else happens.
local known = redis.call('HMGET', KEYS[1], 'claimed_by', 'command')
if not known[1] and not known[2] then
  redis.call('HSET', KEYS[1], 'ordered', '1', 'command', ARGV[5], 'until', ARGV[6])
  redis.call('EXPIRE', KEYS[1], ARGV[8])
  redis.call('ZADD', KEYS[2], 'NX', ARGV[7], ARGV[3])
  redis.call('ZADD', KEYS[4], 'NX', ARGV[6], ARGV[3])
  redis.call('ZADD', KEYS[3], 'NX', 0, ARGV[4])
end
redis.call('XACK', KEYS[5], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[5], ARGV[2])
return 0
