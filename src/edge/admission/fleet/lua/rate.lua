-- KEYS: rate, sharers. ARGV: holder, calls per second, burst, tokens returned, tokens to keep, tokens needed, 1 for some in advance,
--   channel, message, milliseconds that the hash lives.
-- Tokens that edges have leased and not used count as if they were in the bucket, so that all edges together have one burst.
-- Returns nil to an edge without a lease; else the tokens granted; how many other edges may return some when fewer than needed were granted; and the milliseconds
-- until the bucket has one.
if not isLive(KEYS[2], ARGV[1]) then return false end
local others, loose, edges = othersOf(KEYS[1], KEYS[2], ARGV[1])
local perSecond, kept, needed = tonumber(ARGV[2]), tonumber(ARGV[5]), tonumber(ARGV[6])
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(ARGV[3])
if bucket[1] then
  local refilled = math.max(0, now - tonumber(bucket[2])) / 1000 * perSecond
  tokens = math.min(tokens - others - kept, tonumber(bucket[1]) + refilled + tonumber(ARGV[4]))
end
local granted = math.max(0, math.min(needed, math.floor(tokens + 0.000001)))
local spare = inAdvance(math.floor(tokens - granted), kept, edges, ARGV[7])
tokens = tokens - granted - spare
redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.0f', now))
local unused = kept + spare
if unused == 0 then redis.call('HDEL', KEYS[1], ARGV[1])
else redis.call('HSET', KEYS[1], ARGV[1], unused .. '~') end
redis.call('PEXPIRE', KEYS[1], ARGV[10])
if granted == needed then loose = 0 end
if loose > 0 then redis.call('PUBLISH', ARGV[8], ARGV[9]) end
return { granted + spare, loose, math.max(0, math.ceil((1 - tokens) / perSecond * 1000)) }
