-- KEYS: outages of the number, index of the endpoint. ARGV: endpoint, outage, number, seconds.
-- The time and the reason of the first failure stay.
redis.call('HSETNX', KEYS[1], 'out:' .. ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[1], 'healthy:' .. ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('SADD', KEYS[2], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 0
