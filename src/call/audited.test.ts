import { expect, test } from 'vitest';
import { createMemoryLimiter } from '../services/limiter/index.ts';
import { audited } from './audited.ts';

const caller = { requestId: 'r', address: '203.0.113.5', signal: new AbortController().signal };

test('a limit that is reached leaves one line, however often it is run against', async () => {
  const codes: string[] = [];
  const audit = { refused: ({ code }: { code: string }) => void codes.push(code) };
  const limiter = createMemoryLimiter();
  const call = () =>
    audited(audit, { about: 'search_tools', caller, raw: {} }, () =>
      limiter.take({ name: 'free-tools', calls: 2, perSeconds: 3600 }, 'ip:203.0.113.5'),
    );
  await Promise.allSettled([call(), call(), call(), call(), call()]);
  expect(codes).toEqual(['rate_limited']);
});
