/**
 * What edges do to the lines of waiting orders, each in one step that no other edge can come between. Redis' own clock counts.
 * Keys of single calls are made of a prefix: the first in a line is known in the script only.
 */

const clock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/**
 * A place among the calls that go on, and one in time (GCRA). ARGV as in `takeScript`: most calls (-1: any number), interval in
 * milliseconds (0: any pace), burst. Answers with 0, or the milliseconds to wait.
 */
const mayStart = `
local function waitFor(slots, rate, most, interval, burst)
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', now)
  if most >= 0 and redis.call('ZCARD', slots) >= most then return 1000 end
  if interval <= 0 then return 0 end
  local at = tonumber(redis.call('GET', rate) or '0')
  local earliest = at - (burst - 1) * interval
  if earliest > now then return math.ceil(earliest - now) end
  redis.call('SET', rate, string.format('%.3f', math.max(at, now) + interval), 'PX', math.ceil(burst * interval) + 1000)
  return 0
end
local function occupy(slots, call, lease)
  redis.call('ZADD', slots, now + lease, call)
  redis.call('PEXPIRE', slots, lease * 2)
end`;

/**
 * KEYS: call, line, lines, waiting, stream. ARGV: group, entry, call id, number, command, until, score, seconds of the hash.
 * An order that came before leaves the stream and nothing else happens.
 */
export const arriveScript = `
local known = redis.call('HMGET', KEYS[1], 'claimed_by', 'command')
if not known[1] and not known[2] then
  redis.call('HSET', KEYS[1], 'ordered', '1', 'command', ARGV[5], 'until', ARGV[6])
  redis.call('EXPIRE', KEYS[1], ARGV[8])
  redis.call('ZADD', KEYS[2], 'NX', ARGV[7], ARGV[3])
  redis.call('ZADD', KEYS[4], 'NX', ARGV[6], ARGV[3])
  redis.call('ZADD', KEYS[3], 'NX', 0, ARGV[4])
end
redis.call('XACK', KEYS[5], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[5], ARGV[2])
return 0`;

/**
 * KEYS: line, lines, slots, rate, waiting, taken. ARGV: owner, number, prefix, most, interval, burst, lease, factor of scores,
 * seconds that the taken ones are remembered.
 * `{'taken', command}`, `{'wait', milliseconds}` or `{'empty'}`. A stopped order is taken whatever the limits are.
 */
export const takeScript = `${clock}${mayStart}
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
    -- Somebody has it.
  elseif not order[1] then
    -- Its order is on the way; one that does not come is lost, or comes and takes its place again.
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
end`;

/** KEYS: call, line, waiting, taken. ARGV: owner, call id, seconds. The command, when the call was waiting and is ours now. */
export const takeStoppedScript = `
if redis.call('HEXISTS', KEYS[1], 'claimed_by') == 1 then return false end
if redis.call('ZREM', KEYS[2], ARGV[2]) == 0 then return false end
redis.call('ZREM', KEYS[3], ARGV[2])
redis.call('HSET', KEYS[1], 'claimed_by', ARGV[1])
redis.call('SADD', KEYS[4], ARGV[2])
redis.call('EXPIRE', KEYS[4], ARGV[3])
return redis.call('HGET', KEYS[1], 'command')`;

/** KEYS: slots, rate. ARGV: call id, most, interval, burst, lease. 0: the call may start; else milliseconds to wait. */
export const enterScript = `${clock}${mayStart}
local milliseconds = waitFor(KEYS[1], KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
if milliseconds == 0 then occupy(KEYS[1], ARGV[1], tonumber(ARGV[5])) end
return milliseconds`;

/** KEYS: slots, lines, taken. ARGV: number, call id. Whoever waits for the number is due. */
export const leaveScript = `${clock}
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('SREM', KEYS[3], ARGV[2])
redis.call('ZADD', KEYS[2], 'XX', now, ARGV[1])
return 0`;

/** KEYS: slots. ARGV: lease, call ids. Also puts back what Redis has lost. */
export const renewScript = `${clock}
for index = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[index]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1] * 2)
return 0`;

/** KEYS: lines. ARGV: most numbers. The milliseconds until the next number is due (-1: none waits), then those that are. */
export const dueScript = `${clock}
local numbers = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
local first = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
table.insert(numbers, 1, #first == 0 and '-1' or tostring(first[2] - now))
return numbers`;

/** KEYS: ready edges, lease of the edge. ARGV: owner, lease in milliseconds, 1 when it takes orders. */
export const liveScript = `${clock}
redis.call('SET', KEYS[2], '1', 'PX', ARGV[2])
if ARGV[3] == '1' then redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
else redis.call('ZREM', KEYS[1], ARGV[1]) end
return 0`;
