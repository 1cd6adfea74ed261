-- KEYS: projection, revisions. ARGV: database, new epoch.
-- Forgets what another database has projected; its documents stay until they are overwritten. Processes that rebuild at the
-- same time share the epoch, which is gone as soon as Redis is emptied. Returns the epoch.
if redis.call('HGET', KEYS[1], 'builder') ~= ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'builder', ARGV[1], 'epoch', ARGV[2])
end
return redis.call('HGET', KEYS[1], 'epoch')
