import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spooled } from '../../../../tests/support/spooled.ts';
import { UPLOAD_BYTES_MAX, UPLOAD_LIFETIME_MS } from '../../../config/limits.ts';
import { createLinks } from '../../../core/links/links.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createUploads, UPLOAD_LINK_LIFETIME_MS } from './uploads.ts';

async function given() {
  const clock = { ms: Date.parse('2026-10-09T14:59:00Z') };
  const folder = await mkdtemp(join(tmpdir(), 'atelier-uploads-'));
  return {
    clock,
    folder,
    uploads: createUploads({
      objects: createFileObjects(folder),
      links: createLinks({ publicUrl: 'http://atelier.test', secret: 's'.repeat(32), now: () => clock.ms }),
      now: () => clock.ms,
    }),
  };
}

test('an upload can be opened for one hour', async () => {
  const { uploads, clock } = await given();
  const { id, sizeBytes, sha256, expiresAt } = await uploads.keep(await spooled('hello'), 'image/png');
  expect({ sizeBytes, sha256 }).toEqual({
    sizeBytes: 5,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect(await uploads.open(id)).toEqual(Buffer.from('hello'));
  expect(expiresAt.getTime() - clock.ms).toBe(UPLOAD_LIFETIME_MS);
  clock.ms += UPLOAD_LIFETIME_MS;
  await expect(uploads.open(id)).rejects.toMatchObject({ code: 'image_not_found' });
});

test('empty and oversized uploads are rejected', async () => {
  const { uploads } = await given();
  await expect(uploads.keep(await spooled(''), 'image/png')).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(
    uploads.keep(await spooled(Buffer.alloc(UPLOAD_BYTES_MAX + 1)), 'image/png'),
  ).rejects.toMatchObject({
    code: 'payload_too_large',
  });
});

test('an upload link accepts one file under its predetermined handle', async () => {
  const { uploads } = await given();
  const { id, url } = uploads.invite();
  const invited = uploads.readInvitation(url.split('/').at(-1)!);
  expect(invited.id).toBe(id);
  expect(await uploads.sizeOf(id)).toBeUndefined();
  const both = await Promise.allSettled(
    ['one', 'other'].map(async (text) => uploads.keep(await spooled(text), '', invited)),
  );
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'upload_link_used' },
  });
  expect(['one', 'other']).toContain(String(await uploads.open(id)));
});

test('an upload link includes the expected size and stays valid after a mismatching file', async () => {
  const { uploads } = await given();
  const { url } = uploads.invite({ sizeBytes: 5 });
  const invited = uploads.readInvitation(url.split('/').at(-1)!);
  await expect(uploads.keep(await spooled('hell'), '', invited)).rejects.toMatchObject({
    code: 'bytes_differ',
    message: expect.stringContaining('has 4 bytes; expect_bytes says 5. The transfer is incomplete.'),
    details: { members: { arrived: { bytes: 4 } } },
  });
  expect((await uploads.keep(await spooled('hello'), '', invited)).sizeBytes).toBe(5);
});

test('an expired or altered upload link is rejected', async () => {
  const { uploads, clock } = await given();
  const token = uploads.invite({ sizeBytes: 5 }).url.split('/').at(-1)!;
  const [id, exp, , sha256, sig] = token.split('.');
  const forged = [
    token.slice(1),
    [id, exp, '6', sha256, sig].join('.'),
    `${id}.${Number(exp) + 60}.5.${sha256}.${sig}`,
    '',
    'a.b.c',
  ];
  for (const one of forged)
    expect(() => uploads.readInvitation(one)).toThrow(expect.objectContaining({ code: 'upload_link_ended' }));
  clock.ms += UPLOAD_LINK_LIFETIME_MS;
  expect(() => uploads.readInvitation(token)).toThrow(expect.objectContaining({ code: 'upload_link_ended' }));
});

test('a truncated image is not stored', async () => {
  const { uploads } = await given();
  const half = Buffer.from('89504e470d0a1a0a0000000d49484452000000', 'hex');
  await expect(uploads.keep(await spooled(half), 'image/png')).rejects.toMatchObject({
    code: 'undecodable_image',
    message: expect.stringContaining('it ends after 19 bytes'),
  });
});

test('a thousand unused upload links store nothing', async () => {
  const { uploads, folder } = await given();
  const links = Array.from({ length: 1000 }, () => uploads.invite().url);
  expect(new Set(links).size).toBe(1000);
  expect(await readdir(folder)).toEqual([]);
  expect(links[0]).toMatch(/^[\w:/.-]+[0-9a-f]$/);
});

test('in-memory bytes that do not match the expected size or hash are rejected and not stored', async () => {
  const { uploads, folder } = await given();
  const keep = (expected: object) => uploads.keepBytes(Buffer.from('hello'), 'text/plain', { expected });
  await expect(keep({ sizeBytes: 6 })).rejects.toMatchObject({ code: 'bytes_differ' });
  await expect(keep({ sha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'bytes_differ' });
  expect(await readdir(folder)).toEqual([]);
});
