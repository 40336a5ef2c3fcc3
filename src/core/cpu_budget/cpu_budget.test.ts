import { expect, test } from 'vitest';
import { quietTelemetry } from '../../../tests/support/quiet_telemetry.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { createCpuBudget, isCpuRefusal } from './cpu_budget.ts';
import type { CpuAccount } from './types.ts';

const HOST = '2001:db8:1:1::1';
const WALLET = `0x${'a'.repeat(40)}`;

function given({ burst = 120, refill = 0.5 } = {}) {
  const clock = { now: 0 };
  const telemetry = quietTelemetry();
  const cpu = createCpuBudget({ limits: { burst, refill }, telemetry, now: () => clock.now });
  const spend = (address: string, seconds: number, more: Partial<CpuAccount> = {}) =>
    cpu.charge({ address, ...more }, seconds, 'engine');
  const refusalOf = (address: string, more: Partial<CpuAccount> = {}): AtelierError | undefined => {
    try {
      cpu.require({ address, ...more });
    } catch (error) {
      return error as AtelierError;
    }
    return undefined;
  };
  return { clock, cpu, telemetry, spend, refusalOf };
}

test('an address is refused once its budget is used up, without affecting other addresses', () => {
  const { spend, refusalOf } = given();
  spend('203.0.113.5', 119);
  expect(refusalOf('203.0.113.5')).toBeUndefined();
  spend('203.0.113.5', 1);
  expect(refusalOf('203.0.113.5')).toMatchObject({ code: 'rate_limited' });
  expect(refusalOf('203.0.113.6')).toBeUndefined();
});

test('a call above the remaining budget is admitted, and later calls wait until it is repaid', () => {
  const { clock, spend, refusalOf } = given();
  spend('203.0.113.5', 130);
  expect(refusalOf('203.0.113.5')!.details.retryAfterSeconds).toBe(21);
  clock.now = 20_000;
  expect(refusalOf('203.0.113.5')).toBeDefined();
  clock.now = 21_000;
  expect(refusalOf('203.0.113.5')).toBeUndefined();
});

test('a refusal states the budget, its refill rate and how to get more', () => {
  const { spend, refusalOf } = given();
  spend('203.0.113.5', 130);
  const { message, details } = refusalOf('203.0.113.5')!;
  expect(message).toBe(
    'Your IP address has used its CPU time: a budget of 120 CPU-seconds, refilled at 0.5 per second. Retry in 21 s. Calls of a wallet with credits have 4 times that budget. You were not charged.',
  );
  expect(details.headers).toMatchObject({
    'RateLimit-Policy': '"cpu-seconds";q=120;w=240',
    RateLimit: '"cpu-seconds";r=0;t=21',
  });
});

test('refusals are marked as repeats until the budget is above zero again', () => {
  const { clock, spend, refusalOf } = given();
  const areRepeats = () =>
    [refusalOf('203.0.113.5'), refusalOf('203.0.113.5')].map((one) => one?.details.isRepeat);
  spend('203.0.113.5', 121);
  expect(areRepeats()).toEqual([false, true]);
  clock.now = 10_000;
  expect(areRepeats()).toEqual([undefined, undefined]);
  spend('203.0.113.5', 121);
  expect(areRepeats()).toEqual([false, true]);
});

test.each([
  ['/64', 4, '2001:db8:1:1::', '2001:db8:1:2::1'],
  ['/56', 16, '2001:db8:1:', '2001:db8:1:101::1'],
  ['/48', 64, '2001:db8:1:', '2001:db8:2::1'],
])('a network %s has %i times the budget of an address', (bits, factor, begin, outside) => {
  const { spend, refusalOf } = given();
  const inside = (nth: number) =>
    bits === '/64' ? `${begin}${nth + 1}` : `${begin}${hostNetwork(bits, nth)}::1`;
  for (let nth = 0; nth < factor; nth += 1) {
    expect(refusalOf(inside(nth))).toBeUndefined();
    spend(inside(nth), 119.9);
  }
  spend(inside(0), factor * 0.1 + 0.01);
  const { message } = refusalOf(inside(factor))!;
  expect(message).toMatch(
    new RegExp(`^Your network 2001:db8:1:.*${bits} has used .* ${120 * factor} CPU-sec`),
  );
  expect(refusalOf(outside)).toBeUndefined();
});

/** A separate /64 for each address; in a /48, at most 15 of them per /56. */
const hostNetwork = (bits: string, nth: number): string =>
  (bits === '/56' ? nth : Math.floor(nth / 15) * 256 + (nth % 15)).toString(16);

test('wallets with credits at one address share 4 times its budget, apart from its own', () => {
  const { spend, refusalOf } = given();
  const credits = { credits: {} };
  spend('203.0.113.5', 400, credits);
  expect(refusalOf('203.0.113.5')).toBeUndefined();
  expect(refusalOf('203.0.113.5', credits)).toBeUndefined();
  spend('203.0.113.5', 80, { credits: { provenWallet: WALLET } });
  expect(refusalOf('203.0.113.5', credits)).toMatchObject({ code: 'rate_limited' });
  expect(refusalOf('203.0.113.5', { credits: { provenWallet: `0x${'b'.repeat(40)}` } })).toBeDefined();
});

test('a verified wallet has 4 times the budget across all addresses; an unverified one is not counted', () => {
  const { spend, refusalOf } = given();
  const proven = { credits: { provenWallet: WALLET } };
  spend('203.0.113.1', 479, { credits: {} });
  expect(refusalOf('203.0.113.9', proven)).toBeUndefined();
  spend('203.0.113.2', 300, proven);
  spend('203.0.113.3', 180, proven);
  expect(refusalOf('203.0.113.9', proven)!.message).toMatch(
    /^Your wallet has used its CPU time: a budget of 480/,
  );
  expect(refusalOf('203.0.113.9', { credits: {} })).toBeUndefined();
});

test('small amounts are charged when the request ends', () => {
  const { cpu, refusalOf } = given({ burst: 0.009 });
  const account = { address: HOST };
  for (let part = 0; part < 9; part += 1) cpu.charge(account, 0.001, part % 2 ? 'main' : 'database');
  expect(refusalOf(HOST)).toBeUndefined();
  cpu.settle(account);
  expect(refusalOf(HOST)).toBeDefined();
});

test('a reservation counts until it is released', () => {
  const { cpu, refusalOf } = given();
  const release = cpu.reserve({ address: HOST }, 120);
  expect(refusalOf(HOST)).toBeDefined();
  release();
  expect(refusalOf(HOST)).toBeUndefined();
});

test('a burst of 0 turns budgets off but still measures CPU seconds', async () => {
  const { spend, refusalOf, telemetry } = given({ burst: 0 });
  spend('203.0.113.5', 1e6);
  expect(refusalOf('203.0.113.5')).toBeUndefined();
  expect((await telemetry.exposition()).text).toContain('atelier_cpu_seconds_total{class="engine"} 1000000');
});

test('the heaviest accounts come first, with the time until they are admitted', () => {
  const { cpu, spend } = given();
  spend('203.0.113.5', 130);
  spend('203.0.113.6', 10);
  expect(cpu.heaviest(1)).toEqual([
    { name: '203.0.113.5', scope: 'address', usedSeconds: 130, waitSeconds: 20 },
  ]);
  expect(cpu.exhausted()).toEqual({ address: 1, network: 0, wallet: 0 });
});

test('a refusal for CPU time is distinguished from other limits', () => {
  const { spend, refusalOf } = given();
  spend(HOST, 121);
  const other = new AtelierError('rate_limited', 'At most 3 calls.');
  expect([isCpuRefusal(refusalOf(HOST)), isCpuRefusal(other)]).toEqual([true, false]);
});
