-- KEYS: slots, lines, taken. ARGV: number, call id. The next order of the number is due.
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('SREM', KEYS[3], ARGV[2])
redis.call('ZADD', KEYS[2], 'XX', now, ARGV[1])
return 0
