import { once } from 'node:events';
import { connect } from 'node:net';
import { LEASE_SHARE } from '../../src/services/limiter/limits.ts';
import type { Ask, Grant } from '../../src/services/limiter/store.ts';

/** What `takeCalls` does in SQL, as a script of Valkey or Redis: one window a name. */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] + time[2] / 1e6
local max, seconds, needed, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local kept = redis.call('HMGET', KEYS[1], 'started', 'calls', 'before')
local started, calls, before = tonumber(kept[1] or now), tonumber(kept[2] or 0), tonumber(kept[3] or 0)
local age = (now - started) / seconds
if age >= 2 then started, calls, before = now, 0, 0
elseif age >= 1 then started, calls, before = started + seconds, 0, calls end
local room = math.floor(max - calls - before * (1 - (now - started) / seconds))
local granted = wanted
if wanted >= 0 then
  granted = math.max(0, math.min(wanted, room, math.max(needed, math.floor(room * ${LEASE_SHARE}))))
end
calls = math.max(0, calls + granted)
redis.call('HSET', KEYS[1], 'started', string.format('%.6f', started), 'calls', calls, 'before', before)
redis.call('EXPIRE', KEYS[1], math.ceil(2 * seconds))
return {tostring(granted), tostring((now - started) * 1000), tostring(calls), tostring(before)}`;

/** Limits in a Valkey or Redis server, for `createSharedLimiter`. Answers are arrays of four texts, or errors, which throw. */
export async function openValkeyLimits(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port || 6379), noDelay: true });
  await once(socket, 'connect');
  let text = '';
  const waiting: { lines: number; resolve(lines: string[]): void; reject(error: Error): void }[] = [];
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk;
    for (;;) {
      const lines = text.split('\r\n', (waiting[0]?.lines ?? 0) + 1);
      const isError = lines[0]?.startsWith('-') && lines.length > 1;
      if (waiting.length === 0 || (!isError && lines.length <= waiting[0]!.lines)) return;
      const { lines: count, resolve, reject } = waiting.shift()!;
      const taken = isError ? 1 : count;
      text = text.slice(lines.slice(0, taken).reduce((sum, line) => sum + line.length + 2, 0));
      if (isError) reject(new Error(lines[0]));
      else resolve(lines.slice(0, count));
    }
  });
  const say = (words: readonly (string | number)[]) =>
    socket.write(
      `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`).join('')}`,
    );
  const ask = (words: readonly (string | number)[], lines: number) =>
    new Promise<string[]>((resolve, reject) => {
      waiting.push({ lines, resolve, reject });
      say(words);
    });
  const [, sha = ''] = await ask(['SCRIPT', 'LOAD', SCRIPT], 2);
  const takeOne = async ({ name, policy, needed, wanted }: Ask): Promise<Grant> => {
    const key = `atelier-bench:${name}`;
    const lines = await ask(['EVALSHA', sha, 1, key, policy.calls, policy.perSeconds, needed, wanted], 9);
    const [granted, ageMs, current, previous] = [2, 4, 6, 8].map((at) => Number(lines[at]));
    return { name, granted: granted!, ageMs: ageMs!, current: current!, previous: previous! };
  };
  return {
    take: (asks: readonly Ask[]): Promise<Grant[]> => Promise.all(asks.map(takeOne)),
    close: () => socket.destroy(),
  };
}
