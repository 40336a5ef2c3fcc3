import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { priceOf } from '../../definitions/price.ts';
import type { Services } from '../../services.ts';
import type { NewArchiveFile } from '../types.ts';
import { storePermanent } from './store_permanent.ts';

const { signal } = new AbortController();

/** Runs the tool and returns the arguments that the store received. */
async function stored(body: object, wasKept = false) {
  const kept: NewArchiveFile[] = [];
  const services = {
    images: {
      open: async () => ({ bytes: Buffer.from('picture'), format: 'webp', width: 1, height: 1 }),
      read: async () => Buffer.from('file'),
    },
    permanentStore: {
      name: 'archive',
      put: async (file: NewArchiveFile) => {
        kept.push(file);
        return {
          tx: 'bagu',
          provenanceUri: 'https://here/bagu',
          url: 'https://here/bafk',
          sha256: 'ab',
          sizeBytes: 4,
          wasKept,
        };
      },
    },
  } as unknown as Services;
  const waived: string[] = [];
  const answer = await storePermanent.run(
    storePermanent.input.parse(body),
    services,
    quietCall({ hold: 'call_1', signal, waive: (why) => void waived.push(why) }),
  );
  return { waived, answer: storePermanent.output.strict().parse(answer), kept: kept[0]! };
}

test('storing a file costs 15 credits', () => {
  expect(priceOf(storePermanent.price, {})).toBe(15);
});

test('an image is stored with its detected type, under the hold that pays for it', async () => {
  const { answer, kept } = await stored({ image: 'x', metadata: { a: 1 }, content_type: 'text/plain' });
  expect(kept).toEqual({
    bytes: Buffer.from('picture'),
    contentType: 'image/webp',
    metadata: { a: 1 },
    hold: 'call_1',
    signal,
  });
  expect(answer).toEqual({
    permanent_storage_tx: 'bagu',
    provenance_uri: 'https://here/bagu',
    url: 'https://here/bafk',
    sha256: 'ab',
    size_bytes: 4,
    store: 'archive',
  });
});

test('a file that is already archived costs nothing', async () => {
  expect([(await stored({ data: 'x' })).waived, (await stored({ data: 'x' }, true)).waived]).toEqual([
    [],
    [expect.stringContaining('already stored')],
  ]);
});

test('any other file is stored with the declared content type', async () => {
  const { kept } = await stored({ data: 'x', content_type: 'text/plain' });
  expect([kept.contentType, kept.metadata]).toEqual(['text/plain', {}]);
});

test.each([{}, { image: 'x', data: 'x' }])('%j is rejected: send either image or data', async (body) => {
  await expect(stored(body)).rejects.toThrow('either image or data');
});

test.each([{ data: '' }, { data: 'x', content_type: 'text' }, { image: 'x', metadata: 'x' }])(
  'input %j is rejected',
  (body) => {
    expect(storePermanent.input.safeParse(body).success).toBe(false);
  },
);
