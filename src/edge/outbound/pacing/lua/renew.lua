-- KEYS: slots. ARGV: lease, call ids. Also restores what Redis has lost.
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1] * 2)
return 0
