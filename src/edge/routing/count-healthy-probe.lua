-- KEYS: outages of the number, index of the endpoint. ARGV: endpoint, number, probes that suffice.
-- Returns 1 when the server is in use again.
if redis.call('HEXISTS', KEYS[1], 'out:' .. ARGV[1]) == 0 then
  redis.call('SREM', KEYS[2], ARGV[2])
  return 0
end
if redis.call('HINCRBY', KEYS[1], 'healthy:' .. ARGV[1], 1) < tonumber(ARGV[3]) then return 0 end
redis.call('HDEL', KEYS[1], 'out:' .. ARGV[1], 'healthy:' .. ARGV[1])
redis.call('SREM', KEYS[2], ARGV[2])
return 1
