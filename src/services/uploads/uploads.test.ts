import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { UPLOAD_BYTES_MAX, UPLOAD_LIFETIME_MS } from '../../limits.ts';
import { createUploads } from './uploads.ts';

async function given() {
  const clock = { ms: Date.parse('2026-10-09T14:59:00Z') };
  return {
    clock,
    uploads: createUploads({
      folder: await mkdtemp(join(tmpdir(), 'atelier-uploads-')),
      now: () => clock.ms,
    }),
  };
}

test('an upload can be opened for an hour', async () => {
  const { uploads, clock } = await given();
  const { id, sizeBytes, sha256, expiresAt } = await uploads.keep(Buffer.from('hello'), 'image/png');
  expect({ sizeBytes, sha256 }).toEqual({
    sizeBytes: 5,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect(await uploads.open(id)).toEqual(Buffer.from('hello'));
  expect(expiresAt.getTime() - clock.ms).toBe(UPLOAD_LIFETIME_MS);
  clock.ms += UPLOAD_LIFETIME_MS;
  await expect(uploads.open(id)).rejects.toMatchObject({ code: 'image_not_found' });
});

test('nothing and too much are refused', async () => {
  const { uploads } = await given();
  await expect(uploads.keep(Buffer.alloc(0), 'image/png')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(uploads.keep(Buffer.alloc(UPLOAD_BYTES_MAX + 1), 'image/png')).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});
