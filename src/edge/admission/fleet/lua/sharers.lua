-- Included after clock.lua: what the other live edges have of a limit.
-- Whether others count the shares of this edge.
local function isLive(sharers, holder)
  local ends = redis.call('ZSCORE', sharers, holder)
  return ends and tonumber(ends) > now
end
-- Returns the sum of their shares, how many of them may have unused ones (`~`), and the number of live edges.
local function othersOf(shares, sharers, holder)
  local sum, loose = 0, 0
  local fields = redis.call('HGETALL', shares)
  for at = 1, #fields, 2 do
    local name = fields[at]
    -- A process has a space in its name; the other fields are the bucket's own.
    if name ~= holder and string.find(name, ' ', 1, true) then
      if isLive(sharers, name) then
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
-- In advance an edge gets an equal part of what is free, with what it has unused already. One further part stays free: for an edge that
-- comes, and for all while an edge that died has its own.
local function inAdvance(free, unused, edges, isWanted)
  if isWanted ~= '1' then return 0 end
  return math.max(0, math.min(free, math.floor((free + unused) / (edges + 1)) - unused))
end
