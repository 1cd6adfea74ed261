-- KEYS: stream, line, waiting, ready edges, call.
-- ARGV: command, call id, most in the line (-1: any number), until, most unread, most waiting, milliseconds until a waiting order is
-- forgotten, factor of scores, seconds that the call is kept.
-- In one step, so that neither concurrent requests nor a control that dies leave more or less than one order. An order that is
-- given again, because its process died before it could record that, exists once.
if redis.call('HEXISTS', KEYS[5], 'ordered') == 1 then return 'ordered' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('HEXISTS', KEYS[5], 'stop') == 1 then return 'stopped' end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
if redis.call('ZCARD', KEYS[4]) == 0 then return 'no_edge' end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now - ARGV[7])
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[5]) then return 'full' end
if redis.call('ZCARD', KEYS[3]) >= tonumber(ARGV[6]) then return 'full' end
if tonumber(ARGV[3]) >= 0 and redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[3]) then return 'line_full' end
local id = redis.call('XADD', KEYS[1], '*', 'command', ARGV[1])
local milliseconds, sequence = string.match(id, '^(%d+)-(%d+)$')
local factor = tonumber(ARGV[8])
local score = tonumber(milliseconds) * factor + math.min(tonumber(sequence), factor - 1)
redis.call('ZADD', KEYS[2], string.format('%.0f', score), ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[2])
redis.call('HSET', KEYS[5], 'ordered', '1')
redis.call('EXPIRE', KEYS[5], ARGV[9])
return 'ordered'
