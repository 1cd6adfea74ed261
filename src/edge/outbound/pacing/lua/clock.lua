-- Included first: `now` in milliseconds by the clock of Redis, which all edges share.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
