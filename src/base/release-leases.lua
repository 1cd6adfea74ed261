-- KEYS: leases. ARGV: holder. Deletes those that this holder has.
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
end
return 0
