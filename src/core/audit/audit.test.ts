import { expect, test, vi } from 'vitest';
import { createAudit, type Refusal } from './audit.ts';

const REFUSAL: Refusal = { code: 'c', status: 401, about: 'save_asset', requestId: 'r', address: '::1' };
function lineOf(more: Partial<Refusal>) {
  const lines: Record<string, unknown>[] = [];
  createAudit({ warn: (fields) => lines.push(fields as Record<string, unknown>) }).recordRefusal({
    ...REFUSAL,
    ...more,
  });
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

test('an audit line names the refusal, its subject and the caller', () => {
  expect(lineOf({ wallet: `0x${'A'.repeat(40)}`, detail: 'Not enough.' })).toEqual({
    audit: 'refused',
    code: 'c',
    status: 401,
    about: 'save_asset',
    request_id: 'r',
    address: '::1',
    wallet: `0x${'a'.repeat(40)}`,
    detail: 'Not enough.',
  });
});

test.each([
  [`0x${'B'.repeat(40)}`, `0x${'b'.repeat(40)}`],
  ['atl_key_abcdefgh', expect.stringMatching(/^key [0-9a-f]{12}$/)],
  ['correct horse battery staple', 'unknown'],
  ['sk_live_12345', 'unknown'],
])('the bearer %s is logged by name only', (bearer, name) => {
  expect(lineOf({ bearer }).bearer).toEqual(name);
});

test.each(['pi_sim_abc', 'pi_sim_abc_secret_xyz'])(
  'the intent %s is logged as the start of its hash',
  (sent) => {
    // printf pi_sim_abc | sha256sum
    expect(lineOf({ paymentIntent: sent }).payment_intent).toBe('a4d62aaa6a3c');
  },
);

test('secrets are removed from the detail, and long words are cut', () => {
  const { detail } = lineOf({ detail: `pi_1_secret_x and atl_sess_y and sk_live_z ${'w'.repeat(500)}` });
  expect(detail).toMatch(/^pi_1 and atl_… and sk_… w+$/);
  expect(detail).toHaveLength(300);
});

test('recent refusals are listed newest first, without request contents', () => {
  const audit = createAudit({ warn: () => {} });
  for (let call = 0; call < 60; call += 1)
    audit.recordRefusal({ ...REFUSAL, requestId: `r${call}`, address: `::${call % 9}`, bearer: 'secret' });
  expect(audit.recent()).toHaveLength(50);
  expect(audit.recent()[0]).toEqual({ ...REFUSAL, requestId: 'r59', address: '::5', at: expect.any(Date) });
});

test('an invalid wallet is left out', () => {
  expect(lineOf({ wallet: { $ne: 1 } })).not.toHaveProperty('wallet');
});

test('repeated refusals of one caller are logged a few times and then counted', () => {
  vi.useFakeTimers();
  const lines: Record<string, unknown>[] = [];
  const audit = createAudit({ warn: (fields) => lines.push(fields as Record<string, unknown>) }, 1000);
  for (let call = 0; call < 500; call += 1) audit.recordRefusal({ ...REFUSAL, requestId: String(call) });
  audit.recordRefusal({ ...REFUSAL, address: '::2' });
  expect(lines).toHaveLength(11);
  vi.advanceTimersByTime(1000);
  expect(lines.slice(11)).toEqual([{ audit: 'refused', code: 'c', status: 401, address: '::1', more: 490 }]);
  audit.recordRefusal(REFUSAL);
  expect(lines).toHaveLength(13);
  vi.useRealTimers();
});
