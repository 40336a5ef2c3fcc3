import { expect, test } from 'vitest';
import type { Refusal } from '../core/audit/audit.ts';
import { AtelierError, type ErrorCode } from '../core/errors/atelier_error.ts';
import { createMemoryLimiter } from '../core/rate_limits/rate_limits.ts';
import { auditRefusals } from './observe.ts';

const client = { requestId: 'r', address: '192.0.2.1', signal: new AbortController().signal };
function listening() {
  const describeCoercion: Refusal[] = [];
  return {
    told: describeCoercion,
    audit: { recordRefusal: (refusal: Refusal) => void describeCoercion.push(refusal) },
  };
}

test('repeated calls over a limit leave one audit line', async () => {
  const { told: describeCoercion, audit } = listening();
  const limiter = createMemoryLimiter();
  const call = () =>
    auditRefusals(audit, { about: 'search_tools', client, raw: {} }, () =>
      limiter.take({ name: 'free-tools', calls: 2, perSeconds: 3600 }, 'ip:203.0.113.5'),
    );
  await Promise.allSettled([call(), call(), call(), call(), call()]);
  expect(describeCoercion.map(({ code }) => code)).toEqual(['rate_limited']);
});

async function toldOf(code: ErrorCode): Promise<Refusal[]> {
  const { told: describeCoercion, audit } = listening();
  const refused = async () => Promise.reject(new AtelierError(code, 'No place.'));
  await auditRefusals(audit, { about: 'resize_image', client, raw: {} }, refused).catch(() => {});
  return describeCoercion;
}

test.each(['busy', 'too_many_jobs'] as const)(
  'a client refused with %s is logged by address',
  async (code) => {
    expect(await toldOf(code)).toMatchObject([
      { code, about: 'resize_image', address: '192.0.2.1', detail: 'No place.' },
    ]);
  },
);

test.each(['image_too_large', 'timed_out'] as const)('%s leaves no audit line', async (code) => {
  expect(await toldOf(code)).toEqual([]);
});
