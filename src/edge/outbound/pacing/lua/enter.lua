-- KEYS: slots, rate. ARGV: call id, most, interval, burst, lease.
-- Returns 0 when the call may start, else the milliseconds to wait.
local milliseconds = waitFor(KEYS[1], KEYS[2], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]))
if milliseconds == 0 then occupy(KEYS[1], ARGV[1], tonumber(ARGV[5])) end
return milliseconds
