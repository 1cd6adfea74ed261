-- Included after clock.lua: what the other live edges have of a limit.
-- Returns the sum of their shares, how many of them may have unused ones (`~`), and the number of live edges.
local function othersOf(shares, sharers, holder)
  local sum, loose = 0, 0
  local fields = redis.call('HGETALL', shares)
  for at = 1, #fields, 2 do
    local name = fields[at]
    -- A process has a space in its name; the other fields are the bucket's own.
    if name ~= holder and string.find(name, ' ', 1, true) then
      local ends = redis.call('ZSCORE', sharers, name)
      if ends and tonumber(ends) > now then
        local share, mark = string.match(fields[at + 1], '^([%d.]+)(~?)$')
        sum = sum + tonumber(share)
        if mark == '~' then loose = loose + 1 end
      else
        redis.call('HDEL', shares, name)
      end
    end
  end
  return sum, loose, math.max(1, redis.call('ZCARD', sharers))
end
-- A part of what is free is leased in advance, with what the edge has unused already.
local function inAdvance(free, unused, edges, isWanted)
  if isWanted ~= '1' then return 0 end
  return math.max(0, math.min(free, math.floor((free + unused) / (2 * edges)) - unused))
end
