-- KEYS: leases. ARGV: holder, milliseconds.
-- Renews the leases of this holder, takes free ones, leaves those of others. Returns 1 for each key that is held, else 0.
local held = {}
for index, key in ipairs(KEYS) do
  local holder = redis.call('GET', key)
  if holder == ARGV[1] then
    redis.call('PEXPIRE', key, ARGV[2])
    held[index] = 1
  elseif not holder and redis.call('SET', key, ARGV[1], 'NX', 'PX', ARGV[2]) then
    held[index] = 1
  else
    held[index] = 0
  end
end
return held
