-- KEYS: counter. ARGV: window in milliseconds. Returns the count and the milliseconds until the window ends.
local current = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {current, left}
