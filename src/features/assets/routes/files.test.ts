import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { OperationCall } from '../../definitions/operation.ts';
import { untrustedHeaders } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import { openAssetLink, openResult } from './files.ts';
import { upload } from './upload.ts';

const call = (more: Partial<OperationCall> = {}): OperationCall => ({
  ...quietCall(),
  method: 'GET',
  header: () => undefined,
  isOperator: async () => false,
  ...more,
});

const services = {
  results: {
    verifyLink: (_id: string, _exp: string, sig: string) => sig === 'ours',
    stream: async (id: string) => {
      if (id === 'gone.svg') throw new AtelierError('result_not_found');
      return { blob: new Blob(['<svg/>']), contentType: 'image/svg+xml' };
    },
    nameOf: () => undefined,
  },
  assets: {
    verifyLink: ({ sig }: { sig: string }) => sig === 'ours',
    stream: async () => ({ asset: { contentType: 'text/html', sha256: 'ab' }, blob: new Blob(['<script>']) }),
  },
  uploads: {
    keep: async ({ sizeBytes }: { sizeBytes: number }, contentType: string) => ({
      id: 'u1',
      sha256: 'ab',
      sizeBytes,
      contentType,
      expiresAt: new Date(0),
    }),
  },
  catalogue: { find: () => undefined },
} as unknown as Services;

test('a result is displayed inline with scripts disabled', async () => {
  const answer = await openResult.run(
    openResult.input.parse({ id: 'a.svg', exp: '1', sig: 'ours' }),
    services,
    call(),
  );
  expect(answer).toMatchObject({
    contentType: 'image/svg+xml',
    headers: {
      'Cache-Control': expect.stringContaining('private'),
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  });
});

test.each([{}, { exp: '1' }, { exp: '1', sig: 'forged' }])(
  'without a valid signature a result is not found: %j',
  async (link) => {
    const answer = openResult.run(openResult.input.parse({ id: 'a.svg', ...link }), services, call());
    await expect(answer).rejects.toMatchObject({ code: 'result_not_found', status: 404 });
  },
);

test('an HTML page saved as an asset is served as a download only', async () => {
  const answer = await openAssetLink.run(
    openAssetLink.input.parse({ wallet: '0x', key: 'a', exp: '1', sig: 'ours' }),
    services,
    call(),
  );
  expect(answer).toMatchObject({
    headers: {
      'Content-Disposition': 'attachment; filename="a"',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
});

test.each([
  ['text/javascript', 'application/octet-stream'],
  ['Application/X-JavaScript; charset=utf-8', 'application/octet-stream'],
  ['text/css', 'application/octet-stream'],
  ['application/postscript', 'application/postscript'],
])('an untrusted file declared as %s is served as %s', (claimed, sent) => {
  expect(untrustedHeaders(claimed, 'private').contentType).toBe(sent);
});

test('an altered asset link returns not found', async () => {
  const answer = openAssetLink.run(openAssetLink.input.parse({ wallet: '0x', key: 'a' }), services, call());
  await expect(answer).rejects.toMatchObject({ code: 'asset_not_found', status: 404 });
});

test('an upload returns a handle', async () => {
  const file = { contentType: 'image/png', path: '/arriving/hello', sizeBytes: 5, sha256: 'ab' };
  const answer = upload.answer as { strict(): { parse(value: unknown): unknown } };
  expect(answer.strict().parse(await upload.run({}, services, call({ file, method: 'POST' })))).toMatchObject(
    {
      uri: 'upload:u1',
      upload_id: 'u1',
      size_bytes: 5,
      content_type: 'image/png',
      expires_at: '1970-01-01T00:00:00.000Z',
      cost: { credit: 0, usd: 0 },
    },
  );
});
