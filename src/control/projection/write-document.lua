-- KEYS: document, revisions, projection, counter. ARGV: number, revision, document, database, epoch, channel, entries and servers
-- of the number's index. Writes one document unless Redis has a newer one. During a rebuild the counter stays: edges take a number that is missing then
-- for lost, not for deleted. Returns 'foreign', the newer revision that Redis has, or 0.
local document, revisions, projection, counter = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local number, revision, json, database, epoch, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local there = redis.call('HMGET', projection, 'database', 'epoch')
if epoch == '' and there[1] ~= database or epoch ~= '' and there[2] ~= epoch then return 'foreign' end
local known = tonumber(redis.call('HGET', revisions, number) or '0')
if known > revision then return known end
redis.call('HSET', revisions, number, ARGV[2])
redis.call('HINCRBY', projection, 'total', revision - known)
if json == 'keep' then return 0 end
indexNumber(number, ARGV[7], ARGV[8])
if (redis.call('GET', document) or '') == json then return 0 end
if json == '' then redis.call('DEL', document) else redis.call('SET', document, json) end
if epoch == '' then redis.call('INCR', counter) end
redis.call('PUBLISH', channel, number)
return 0
