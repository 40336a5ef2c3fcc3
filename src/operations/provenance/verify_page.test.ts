import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { quietCall } from '../../../tests/support/quiet_call.ts';
import type { FileAnswer, OperationCall } from '../operation.ts';
import { verifyPage } from './verify_page.ts';
import { VERIFY_SCRIPT } from './verify_page_script.ts';

const page = async () =>
  (await verifyPage.run({}, {}, quietCall() as unknown as OperationCall)) as FileAnswer;

test('nothing runs or loads but what the page brings', async () => {
  const { bytes, headers } = await page();
  const policy = headers?.['Content-Security-Policy'] ?? '';

  expect(policy).toMatch(
    /^default-src 'none'; style-src 'nonce-[^']+'; frame-ancestors 'none'; base-uri 'none';/,
  );
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain('img-src blob: data:');
  expect(String(bytes)).not.toMatch(/\son\w+=|style="|https?:\/\/(?!www\.w3\.org)/);
});

test('the script is whole, and every place it fills is on the page', async () => {
  const html = String((await page()).bytes);
  expect(() => new Script(VERIFY_SCRIPT)).not.toThrow();
  for (const [, id] of VERIFY_SCRIPT.matchAll(/at\('(\w+)'\)/g)) expect(html).toContain(`id="${id}"`);
  expect(html).toContain('<label class="drop" for="file">');
});
