import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  arweaveSettings,
  type FakeArweave,
  startFakeArweave,
} from '../../../../tests/support/fake_arweave.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { PUBLIC_INTERNET } from '../../../core/outbound_http/reach.ts';
import { arweaveKey, createArweaveReader } from '../service.ts';
import { createArweaveStore } from './arweave_store.ts';

const { signal } = new AbortController();
const FILE = {
  bytes: Buffer.from('hello world'),
  contentType: 'text/plain',
  metadata: { title: 'Hello' },
  signal,
};
const folder = mkdtempSync(join(tmpdir(), 'atelier-arweave-'));
let fake: FakeArweave;
let keyFile: string;
beforeAll(async () => {
  fake = await startFakeArweave();
  keyFile = arweaveSettings(fake, folder).ARWEAVE_KEY_FILE!;
});
beforeEach(() => {
  fake.items.clear();
  fake.sent.length = 0;
});
afterAll(() => fake.close());

forEachDatabase((_name, open) => {
  async function given() {
    const database = await open();
    const warnings: unknown[] = [];
    const logger = { warn: (...line: unknown[]) => void warnings.push(line) };
    const { uploadUrl, gatewayUrl } = fake;
    return {
      store: createArweaveStore({ database, uploadUrl, gatewayUrl, key: arweaveKey(keyFile), logger }),
      reader: createArweaveReader({ database, gatewayUrl, reach: PUBLIC_INTERNET }),
      warnings,
      logged: () => database.query(`select entry from log_pending where entry like 'archive:%'`),
    };
  }

  test('the file and its record are separate items, readable through the gateway, and logged', async () => {
    const { store, reader, logged } = await given();
    const { tx, provenanceUri, url, wasKept } = await store.put(FILE);
    const content = url.split('/').at(-1)!;
    const { gatewayUrl } = fake;
    expect([provenanceUri, url, wasKept]).toEqual([`${gatewayUrl}/${tx}`, `${gatewayUrl}/${content}`, false]);
    expect(fake.items.get(content)!.tags).toMatchObject({ 'Content-Type': 'text/plain' });
    expect(await reader.open(content, signal)).toEqual({ bytes: FILE.bytes, contentType: 'text/plain' });
    const record = await reader.open(tx, signal);
    expect(JSON.parse(Buffer.from(record!.bytes).toString())).toMatchObject({
      content: `ar://${content}`,
      metadata: { title: 'Hello' },
      size_bytes: 11,
    });
    expect(await logged()).toEqual([{ entry: `archive:${tx}` }]);
  });

  test('the same file is not uploaded again; other metadata creates another record for it', async () => {
    const { store } = await given();
    const first = await store.put(FILE);
    expect(await store.put(FILE)).toEqual({ ...first, wasKept: true });
    expect(fake.sent).toHaveLength(2);
    expect((await store.put({ ...FILE, metadata: {} })).url).toBe(first.url);
    expect([fake.sent.length, fake.items.size]).toEqual([4, 3]);
  });

  test.each([[402], [500], ['names another'] as const])(
    'a bundler response of %s stores nothing',
    async (fault) => {
      const { store, reader, warnings } = await given();
      fake.faults.push(fault);
      await expect(store.put(FILE)).rejects.toMatchObject({ code: 'upstream_failed' });
      expect(warnings).toHaveLength(1);
      const [id] = fake.items.keys();
      expect(id && (await reader.open(id, signal))).toBeUndefined();
    },
  );

  test('a gateway that returns no data or altered bytes causes an error', async () => {
    const { store, reader } = await given();
    const { tx } = await store.put(FILE);
    fake.items.set(tx, { ...fake.items.get(tx)!, data: Buffer.from('{}') });
    await expect(reader.open(tx, signal)).rejects.toMatchObject({ code: 'upstream_failed' });
    fake.items.clear();
    await expect(reader.open(tx, signal)).rejects.toMatchObject({ code: 'upstream_failed' });
  });

  test.each(['', 'x'.repeat(43), '../../etc/passwd'])(
    'ID %j, not stored by this server, returns nothing',
    async (id) => {
      const { reader } = await given();
      expect(await reader.open(id, signal)).toBeUndefined();
    },
  );
});

test.each([
  ['no JSON', 'a secret that is no JSON'],
  [
    'a short key',
    JSON.stringify(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })),
  ],
  [
    'a key of another kind',
    JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  ],
])('%s is rejected as a wallet key without revealing it', (_what, text) => {
  const path = join(folder, 'wrong.json');
  writeFileSync(path, text);
  const message = (() => {
    try {
      return String(arweaveKey(path));
    } catch (error) {
      return String(error);
    }
  })();
  expect(message).toContain('does not contain the key of an Arweave wallet');
  expect(message).not.toContain(text);
});
