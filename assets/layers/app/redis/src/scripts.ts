import { createHash } from 'node:crypto';

/** A Lua script, and the name that Redis gives it. */
export interface Script {
  text: string;
  sha: string;
}

export function script(text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * A sliding window over several dimensions, in one script: nothing comes between looking and counting.
 *
 * KEYS: one sorted set a dimension; last, if accounts are limited, that of the accounts of a device.
 * ARGV: what to do (`take` or `refund`), the request's id, the account, the limit and the milliseconds of
 * the accounts (0 0 for none), then the limit and the milliseconds of each dimension.
 * Answers: whether it passes, the number of the dimension that decides (0: the accounts), what that has
 * left, and the milliseconds to wait.
 *
 * Members are ids of requests, never times: two requests of one millisecond are two. The time is the
 * server's, and never before the newest request that is known. Who is refused changes nothing.
 */
export const SLIDING = script(`
local action, id, account = ARGV[1], ARGV[2], ARGV[3]
local accounts, accounts_width = tonumber(ARGV[4]), tonumber(ARGV[5])
local dimensions = #KEYS
if accounts > 0 then dimensions = dimensions - 1 end

if action == 'refund' then
  local given_back = 0
  for place = 1, dimensions do given_back = given_back + redis.call('ZREM', KEYS[place], id) end
  return {given_back, 0, 0, 0}
end

local time = redis.call('TIME')
local clock = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local now = clock
for place = 1, #KEYS do
  local newest = redis.call('ZREVRANGE', KEYS[place], 0, 0, 'WITHSCORES')
  if newest[2] then now = math.max(now, tonumber(newest[2])) end
end

local wait, refused, least, tightest, known = 0, -1, math.huge, 1, 0
for place = 1, dimensions do
  local limit, width = tonumber(ARGV[4 + 2 * place]), tonumber(ARGV[5 + 2 * place])
  local from = '(' .. string.format('%.0f', now - width)
  local counted = tonumber(redis.call('ZSCORE', KEYS[place], id) or -1)
  if counted > now - width then known = known + 1 end
  local count = redis.call('ZCOUNT', KEYS[place], from, '+inf')
  if limit - count < least then least, tightest = limit - count, place end
  if count >= limit then
    local frees = redis.call('ZRANGEBYSCORE', KEYS[place], from, '+inf', 'WITHSCORES', 'LIMIT', count - limit, 1)
    local until_then = tonumber(frees[2]) + width - now
    if until_then > wait then wait, refused = until_then, place end
  end
end
-- The same request once more, after an answer that was lost: it has been counted.
if known == dimensions then return {1, tightest, math.max(least, 0), 0} end

if accounts > 0 then
  local from = '(' .. string.format('%.0f', now - accounts_width)
  local seen = tonumber(redis.call('ZSCORE', KEYS[#KEYS], account) or -1)
  if not (seen > now - accounts_width) then
    local count = redis.call('ZCOUNT', KEYS[#KEYS], from, '+inf')
    if count >= accounts then
      local frees = redis.call('ZRANGEBYSCORE', KEYS[#KEYS], from, '+inf', 'WITHSCORES', 'LIMIT', count - accounts, 1)
      local until_then = tonumber(frees[2]) + accounts_width - now
      if until_then > wait then wait, refused = until_then, 0 end
    end
  end
end
if refused >= 0 then return {0, refused, 0, wait} end

-- A key lives until its newest member is a window old: no live window is lost, no idle key stays.
local function charge(key, member, width)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', string.format('%.0f', now - width))
  redis.call('ZADD', key, string.format('%.0f', now), member)
  redis.call('PEXPIRE', key, string.format('%.0f', now - clock + width))
end
for place = 1, dimensions do charge(KEYS[place], id, tonumber(ARGV[5 + 2 * place])) end
if accounts > 0 then charge(KEYS[#KEYS], account, accounts_width) end
return {1, tightest, least - 1, 0}
`);

/**
 * A token bucket. KEYS: a hash. ARGV: tokens a window, its milliseconds, tokens that it holds at most.
 * Answers: whether there was a token, whole tokens left, milliseconds until one is there, and until it is
 * full. Counted in parts of a token, as many as the window has milliseconds: all numbers are whole and
 * below 2^53, and no rounding adds up.
 */
export const BUCKET = script(`
local limit, width, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local most = burst * width
local time = redis.call('TIME')
local clock = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local held = redis.call('HMGET', KEYS[1], 'parts', 'at', 'width')
local parts, at = most, clock
if held[1] then
  at = math.max(clock, tonumber(held[2]))
  parts = tonumber(held[1])
  -- The policy may have another window since.
  if tonumber(held[3]) ~= width then parts = math.floor(parts / tonumber(held[3]) * width) end
  local passed = math.min(at - tonumber(held[2]), math.floor(most / limit) + 1)
  parts = math.min(most, parts + passed * limit)
end
if parts < width then
  return {0, 0, math.ceil((width - parts) / limit), math.ceil((most - parts) / limit)}
end
parts = parts - width
local full_in = math.ceil((most - parts) / limit)
redis.call('HSET', KEYS[1], 'parts', string.format('%.0f', parts), 'at', string.format('%.0f', at),
  'width', string.format('%.0f', width))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', at - clock + full_in))
return {1, math.floor(parts / width), 0, full_in}
`);
