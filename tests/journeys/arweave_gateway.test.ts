import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startArlocal } from '../support/arlocal.ts';
import { arweaveSettings } from '../support/fake_arweave.ts';
import { openTestApp } from '../support/open_test_app.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

const WALLET = `0x${'8'.repeat(40)}`;

test('stored data is read back from a third-party gateway', {
  ...needs('arlocal'),
  timeout: 240_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-gateway-'));
  const arlocal = await startArlocal();
  const app = await openTestApp(arweaveSettings(arlocal, folder));
  await toppedUp(app.post, WALLET);
  const bytes = Buffer.alloc(300_000, 'no byte of this is lost; ');
  const { status, body } = await app.post(
    '/api/tools/store_permanent',
    { data: bytes.toString('base64'), content_type: 'text/plain', metadata: { title: 'Wave' } },
    { Authorization: `Bearer ${WALLET}` },
  );
  expect([status, body.store]).toEqual([200, 'arweave']);

  const file = await fetch(body.url);
  expect(file.headers.get('content-type')).toContain('text/plain');
  expect(bytes.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  expect(await (await fetch(body.provenance_uri)).json()).toMatchObject({
    sha256: body.sha256,
    size_bytes: 300_000,
    metadata: { title: 'Wave' },
  });
  const through = await app.get(`/ar/${body.permanent_storage_tx}`);
  expect([through.status, JSON.parse(through.text).sha256]).toEqual([200, body.sha256]);
  await app.close();
  await arlocal.close();
  rmSync(folder, { recursive: true });
});
