import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { createImages } from '../../images/images.ts';
import type { Services } from '../../services.ts';
import type { NewAsset } from '../types.ts';
import { saveAsset } from './save_asset.ts';

const WALLET = '0x52908400098527886e0f7030069857d2e4169ee7';
const OTHER = '0x0000000000000000000000000000000000000001';
const JPEG = '\xff\xd8';
const AT = new Date('2026-10-09T14:59:00Z');

function given() {
  const saved: NewAsset[] = [];
  const services = {
    images: {
      read: async (text: string) => Buffer.from(text, 'base64'),
      otherThan: createImages({} as Parameters<typeof createImages>[0]).otherThan,
    },
    assets: {
      linkTo: (wallet: string, key: string) => ({
        url: `https://atelier.test/api/assets?wallet=${wallet}&key=${key}`,
        expiresAt: new Date(0),
      }),
      async save(asset: NewAsset) {
        saved.push(asset);
        const { key, contentType, metadata = null } = asset;
        const kept = {
          key,
          contentType,
          sizeBytes: asset.bytes.length,
          sha256: 'ab',
          metadata,
          createdAt: AT,
          updatedAt: AT,
        };
        return {
          asset: kept,
          overwritten: false,
          storage: { usedBytes: 5, limitBytes: 100, earlierBytes: 0 },
        };
      },
    },
  } as unknown as Services;
  return { saved, services };
}

const parsed = (more: object = {}) =>
  saveAsset.input.parse({ wallet: WALLET, key: 'a/b.png', data: 'aGVsbG8=', ...more });
const call = (wallet?: string) => quietCall(wallet ? { wallet } : {});

test('the response to the owner contains the stored asset and the remaining space', async () => {
  const { services, saved } = given();
  const answer = await saveAsset.run(parsed({ metadata: { a: 1 } }), services, call(WALLET));
  expect(saveAsset.output.strict().parse(answer)).toEqual({
    wallet: WALLET,
    key: 'a/b.png',
    content_type: 'image/png',
    size_bytes: 5,
    sha256: 'ab',
    metadata: { a: 1 },
    created_at: AT.toISOString(),
    updated_at: AT.toISOString(),
    url: `https://atelier.test/api/assets?wallet=${WALLET}&key=a/b.png`,
    url_expires_at: new Date(0).toISOString(),
    overwritten: false,
    storage: { used_bytes: 5, limit_bytes: 100, free_bytes: 95, earlier_bytes: 0 },
  });
  expect(saved).toMatchObject([{ wallet: WALLET, key: 'a/b.png', bytes: Buffer.from('hello') }]);
});

test('a payer cannot save into the wallet of another owner', async () => {
  const { services, saved } = given();
  await expect(saveAsset.run(parsed(), services, call(OTHER))).rejects.toMatchObject({
    code: 'wallet_mismatch',
    status: 403,
  });
  expect(saved).toEqual([]);
});

test('a payload over the limit is reported as an asset that is too large', async () => {
  const images = { read: async () => Promise.reject(new AtelierError('payload_too_large')) };
  const { services } = given();
  await expect(
    saveAsset.run(parsed(), { ...services, images } as unknown as Services, call(WALLET)),
  ).rejects.toMatchObject({ code: 'asset_too_large', status: 413 });
});

test.each(['image/png', 'text/plain; charset=utf-8', 'application/vnd.x+json', 'a/b;c="d e"'])(
  '%j is a valid media type',
  (content_type) => {
    expect(parsed({ content_type }).content_type).toBe(content_type);
  },
);

test.each([
  '',
  'png',
  'image/',
  'image/png\r\nSet-Cookie: a=b',
  'image/png;',
  'image /png',
  `a/${'b'.repeat(300)}`,
  'a/b;c="\u0000"',
])('%j is not a valid media type', (content_type) => {
  expect(() => parsed({ content_type })).toThrow();
});

test.each([
  ['a JPEG', JPEG, 'image/png', ['content_type "image/jpeg"']],
  ['a JPEG', JPEG, 'image/jpeg', []],
  ['a JPEG', JPEG, 'application/octet-stream', []],
  ['text', 'hello', undefined, ['The bytes are text']],
  ['text', 'hello', 'text/plain', []],
  ['a format not read here', 'hello', 'image/heic', []],
])('%s warns if its content type does not match: %#', async (_, bytes, content_type, expected) => {
  const warnings: string[] = [];
  const input = parsed({ data: Buffer.from(bytes, 'latin1').toString('base64'), content_type });
  await saveAsset.run(input, given().services, { ...call(WALLET), warn: (text) => warnings.push(text) });
  expect(warnings).toEqual(expected.map((words) => expect.stringContaining(words)));
});
