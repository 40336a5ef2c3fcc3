import { expect, test, vi } from 'vitest';
import type { Payment } from '../types.ts';
import { releaseOnFailure } from './payment.ts';

const paymentOf = (release: () => Promise<void>): Payment => ({
  receipt: {},
  hold: 'h',
  settle: async () => {},
  release,
});

test('a failed call releases its hold and rethrows the error', async () => {
  const release = vi.fn(async () => {});
  const failed = releaseOnFailure(paymentOf(release), () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  expect(release).toHaveBeenCalledOnce();
});

test('a call suspended until its hold was released may be retried', async () => {
  const violation = Object.assign(new Error('hold:h is not open'), {
    code: '23000',
    constraint: 'asset_hold_is_open',
  });
  const failed = releaseOnFailure(
    paymentOf(async () => {}),
    () => Promise.reject(violation),
  );
  await expect(failed).rejects.toMatchObject({ code: 'busy', details: { retryAfterSeconds: 1 } });
});
