import { afterEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/support/open_test_app.ts';
import { readConfig } from '../../config/config.ts';
import { warnOfCards } from './service.ts';

let app: TestApp | undefined;
afterEach(() => app?.close());

const OPEN = { HOST: '127.0.0.1', PUBLIC_URL: 'https://atelier.example' };

async function cardsWith(settings: Record<string, string>) {
  app = await openTestApp(settings);
  const { status, body } = await app.post('/api/create-payment-intent', { tool_name: 'upscale_image' });
  const desk = await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: 'pi_sim_none' });
  return { status, code: body.code, desk: desk.body.code };
}

function warningsOf(settings: Record<string, string>): string[] {
  const lines: string[] = [];
  const logger = { warn: (line: string) => lines.push(line) } as unknown as Parameters<typeof warnOfCards>[1];
  warnOfCards(readConfig(settings), logger);
  return lines;
}

test('behind a proxy, test cards are disabled by default', async () => {
  expect(await cardsWith(OPEN)).toEqual({ status: 503, code: 'payments_not_configured', desk: 'not_found' });
});

test('test cards behind a proxy are enabled explicitly', async () => {
  const { status, desk } = await cardsWith({ ...OPEN, PAYMENTS: 'simulated' });
  expect([status, desk]).toEqual([200, 'payment_not_found']);
});

test.each([
  [{}, []],
  [OPEN, [expect.stringMatching(/^card payments are off.*PAYMENTS/)]],
  [{ HOST: '0.0.0.0' }, [expect.stringMatching(/^card payments are off/)]],
  [
    { ...OPEN, PAYMENTS: 'simulated' },
    [expect.stringMatching(/^card payments are simulated on a public server/)],
  ],
  [{ ...OPEN, PAYMENTS: 'off' }, []],
])('with %j startup warns %j', (settings, lines) => {
  expect(warningsOf(settings as Record<string, string>)).toEqual(lines);
});
