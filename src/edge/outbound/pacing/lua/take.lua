-- KEYS: line, lines, slots, rate, waiting, taken.
-- ARGV: owner, number, prefix of call keys, most, interval, burst, lease, factor of scores, seconds that taken calls are kept.
-- Returns {'taken', command}, {'wait', milliseconds} or {'empty'}. A stopped order is taken whatever the limits are.
local line, lines, waiting = KEYS[1], KEYS[2], KEYS[5]
local owner, number = ARGV[1], ARGV[2]
local function wait(milliseconds)
  redis.call('ZADD', lines, now + milliseconds, number)
  return { 'wait', tostring(milliseconds) }
end
while true do
  local first = redis.call('ZRANGE', line, 0, 0, 'WITHSCORES')
  if #first == 0 then
    redis.call('ZREM', lines, number)
    return { 'empty' }
  end
  local id = first[1]
  local key = ARGV[3] .. id
  local order = redis.call('HMGET', key, 'command', 'claimed_by', 'stop', 'until')
  local isTaken = false
  if order[2] then
    -- Another edge has it.
  elseif not order[1] then
    -- Its order is on the way. One that does not arrive is lost, or arrives later and joins the line again.
    if now - tonumber(first[2]) / tonumber(ARGV[8]) < 2000 then return wait(50) end
  elseif order[3] then
    isTaken = true
  elseif tonumber(order[4]) < now then
    redis.call('HSET', key, 'claimed_by', owner, 'phase', 'expired')
  else
    local milliseconds = waitFor(KEYS[3], KEYS[4], tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]))
    if milliseconds > 0 then return wait(milliseconds) end
    occupy(KEYS[3], id, tonumber(ARGV[7]))
    isTaken = true
  end
  redis.call('ZREM', line, id)
  redis.call('ZREM', waiting, id)
  if isTaken then
    redis.call('HSET', key, 'claimed_by', owner)
    redis.call('SADD', KEYS[6], id)
    redis.call('EXPIRE', KEYS[6], ARGV[9])
    redis.call('ZADD', lines, now, number)
    return { 'taken', order[1] }
  end
end
