-- Brings what one number adds to the index (contract/number-index.ts) up to date: entries as a JSON array, servers as a JSON
-- object by id. Included before the script that calls it.
local indexKeys = {
  numbers = 'demarc:number-index', servers = 'demarc:indexed-servers', uses = 'demarc:indexed-server-uses',
  registrations = 'demarc:indexed-registrations', channel = 'demarc:number-index-changed'
}
local function indexNumber(number, entries, servers)
  local there = redis.call('HGET', indexKeys.numbers, number) or '[]'
  if there == entries then return end
  local before, after, hasServerNews, registrations = {}, {}, false, {}
  for _, entry in ipairs(cjson.decode(there)) do before[entry] = true end
  for _, entry in ipairs(cjson.decode(entries)) do after[entry] = true end
  local details = cjson.decode(servers)
  for entry in pairs(before) do
    if not after[entry] then
      local kind, id = entry:match('^(%a) (%S+)')
      if kind == 's' then
        if redis.call('HINCRBY', indexKeys.uses, id, -1) <= 0 then
          redis.call('HDEL', indexKeys.uses, id)
          redis.call('HDEL', indexKeys.servers, id)
          hasServerNews = true
        end
      else
        redis.call('ZREM', 'demarc:registration-numbers:' .. id, number)
        registrations[id] = true
      end
    end
  end
  for entry in pairs(after) do
    if not before[entry] then
      local kind, id, moment = entry:match('^(%a) (%S+) ?(%d*)')
      if kind == 's' then
        if redis.call('HINCRBY', indexKeys.uses, id, 1) == 1 then
          redis.call('HSET', indexKeys.servers, id, details[id])
          hasServerNews = true
        end
      else
        redis.call('ZADD', 'demarc:registration-numbers:' .. id, moment, number)
        redis.call('SADD', indexKeys.registrations, id)
        registrations[id] = true
      end
    end
  end
  if entries == '[]' then
    redis.call('HDEL', indexKeys.numbers, number)
  else
    redis.call('HSET', indexKeys.numbers, number, entries)
  end
  if hasServerNews then redis.call('PUBLISH', indexKeys.channel, 'servers') end
  for id in pairs(registrations) do
    if redis.call('EXISTS', 'demarc:registration-numbers:' .. id) == 0 then
      redis.call('SREM', indexKeys.registrations, id)
    end
    redis.call('PUBLISH', indexKeys.channel, 'registration ' .. id)
  end
end
