-- KEYS: lines. ARGV: most numbers.
-- Returns the milliseconds until the next number is due (-1: none waits), then the numbers that are due.
local numbers = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
local first = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
table.insert(numbers, 1, #first == 0 and '-1' or tostring(first[2] - now))
return numbers
