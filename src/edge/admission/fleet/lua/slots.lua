-- KEYS: slots, sharers. ARGV: holder, limit, slots in use, slots to keep, slots needed, 1 for some in advance, channel, message,
--   milliseconds that the hash lives, and an edge that is gone with the number of its calls that this one has adopted.
-- Returns nil to an edge without a lease; else the slots granted beyond those kept, and how many other edges may return some when fewer than needed were granted.
if not isLive(KEYS[2], ARGV[1]) then return false end
-- In one step, so that an adopted call counts once at each moment.
local former = redis.call('HGET', KEYS[1], ARGV[10])
if former then
  local left = tonumber(string.match(former, '^%d+')) - tonumber(ARGV[11])
  if left > 0 then redis.call('HSET', KEYS[1], ARGV[10], left .. '')
  else redis.call('HDEL', KEYS[1], ARGV[10]) end
end
local others, loose, edges = othersOf(KEYS[1], KEYS[2], ARGV[1])
local kept, needed = tonumber(ARGV[4]), tonumber(ARGV[5])
local free = tonumber(ARGV[2]) - others - kept
local granted = math.max(0, math.min(needed, free))
local spare = inAdvance(free - granted, kept - tonumber(ARGV[3]), edges, ARGV[6])
local own = kept + granted + spare
if own == 0 then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  local mark = own > tonumber(ARGV[3]) + granted and '~' or ''
  redis.call('HSET', KEYS[1], ARGV[1], own .. mark)
  redis.call('PEXPIRE', KEYS[1], ARGV[9])
end
if granted == needed then loose = 0 end
if loose > 0 then redis.call('PUBLISH', ARGV[7], ARGV[8]) end
return { granted + spare, loose }
