-- KEYS: lease of the holder that leaves, holders, then the lease of each candidate.
-- ARGV: the holder that leaves, its facts, then the name of each candidate.
-- Ends a lease so that another holder takes the calls. Returns 1; or 0, with nothing changed, when each candidate is gone or
-- leaves as well.
for at = 3, #KEYS do
  local facts = redis.call('HGET', KEYS[2], ARGV[at])
  if facts and cjson.decode(facts).is_leaving ~= true and redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('DEL', KEYS[1])
    redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
    return 1
  end
end
return 0
