import { expect, test } from 'vitest';
import { quietCall } from '../../../tests/support/quiet_call.ts';
import { parseInput } from '../../call/parse_input.ts';
import type { Webhooks } from '../../services/webhooks/contract.ts';
import { EVENTS } from './events.ts';
import { registerWebhook } from './index.ts';

const createdAt = new Date('2026-11-21T09:08:07.654Z');
const webhooks: Pick<Webhooks, 'register'> = {
  register: async (endpoint) => ({ ...endpoint, id: 'whe_1', secret: 'whsec_1', createdAt }),
};

const wallets = { isRegistered: async () => true };

async function register(raw: Record<string, unknown>) {
  const { input } = parseInput(registerWebhook.input, raw);
  const call = { ...quietCall(), method: 'POST', header: () => undefined };
  const answer = await registerWebhook.run(
    input as { events: string[] },
    { webhooks, wallets } as never,
    call,
  );
  return (registerWebhook.answer as { strict(): { parse(answer: unknown): unknown } }).strict().parse(answer);
}

test('an empty object answers with the events there are', async () => {
  expect(await register({})).toMatchObject({
    status: 'no_endpoint',
    available_events: EVENTS,
    events: ['*'],
  });
});

test('a registration shows its secret and says that nothing is sent yet', async () => {
  const answer = await register({
    url: 'https://example.org/hook',
    events: ['tool.*', 'cafe.posted', 'moon.full'],
  });

  expect(answer).toMatchObject({
    status: 'registered',
    id: 'whe_1',
    url: 'https://example.org/hook',
    secret: 'whsec_1',
    events: ['tool.*', 'cafe.posted'],
    unknown_events: ['moon.full'],
    created_at: '2026-11-21T09:08:07.654Z',
    note: expect.stringContaining('not active yet'),
  });
});

test.each([
  { url: '' },
  { url: 'nonsense' },
  { url: 'http://example.org/hook' },
  { url: 'https://169.254.169.254/' },
  { url: 'https://user:secret@example.org/' },
  { url: 7 },
  { url: 'https://example.org/hook', events: 'tool.completed' },
  { url: 'https://example.org/hook', events: ['x'.repeat(101)] },
  { url: 'https://example.org/hook', events: Array.from({ length: 51 }, (_, index) => `event.${index}`) },
])('%o is refused', async (raw) => {
  await expect(register(raw)).rejects.toMatchObject({ code: 'invalid_input' });
});
