import { generateKeyPairSync } from 'node:crypto';
import { likenessOf, type SeenBlocks, seenBlocks } from '@atelier/imaging/watermark/likeness.ts';
import { expect, test } from 'vitest';
import { forEachDatabase, type Open } from '../../../../tests/support/for_each_database.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import { createMarks } from './marks.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const signer = createSigner(generateKeyPairSync('ed25519').privateKey);
const EXACT = 'e'.repeat(64);

async function marksOn(open: Open, options?: Parameters<typeof createMarks>[1], ours = signer) {
  const receipts = { keys: async () => [{ ...ours.publicKey, firstUsed: new Date(0) }] };
  return createMarks({ database: await open(), signer, receipts, publicUrl: 'http://a.test' }, options);
}

/** A frame of 384 × 256 px, each block with its own level. */
function frameOf(levelAt: (column: number, row: number) => number) {
  const [width, height] = [384, 256];
  const data = Float32Array.from({ length: width * height }, (_, at) =>
    levelAt((at % width) >> 4, Math.floor(at / width) >> 4),
  );
  return { width, height, data };
}

type Frame = ReturnType<typeof frameOf>;

function see(frame: Frame): SeenBlocks {
  const grid = { columns: 48, rows: 32, firstColumn: 0, firstRow: 0 };
  return seenBlocks({ frame, grid, usable: new Uint8Array(48 * 32).fill(1) });
}

const PICTURE = frameOf((column, row) => 40 + ((column * 67 + row * 41) % 150));
const OTHER = frameOf((column, row) => 40 + ((column * 29 + row * 97) % 150));
const HALF = frameOf(
  (column, row) => 40 + ((column < 12 ? column * 67 + row * 41 : column * 29 + row * 97) % 150),
);
const FLAT = frameOf(() => 128);

forEachDatabase((_name, open) => {
  test('a payload is found by its id, including null bytes', async () => {
    const marks = await marksOn(open);
    const id = await marks.register('a\0b 🎨 حقوق', WALLET);

    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(await marks.find(id)).toMatchObject({ id, payload: 'a\0b 🎨 حقوق', wallet: WALLET });
    expect(await marks.find('000000000000')).toBeUndefined();
  });

  test('the same payload keeps its id per wallet; other or no wallets get another', async () => {
    const marks = await marksOn(open);
    const ids = [
      await marks.register('one', WALLET),
      await marks.register('one', WALLET),
      await marks.register('one'),
    ];
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('an anonymous mark expires after 180 days unless renewed; a wallet mark does not', async () => {
    let day = 0;
    const marks = await marksOn(open, { now: () => new Date(day * 86_400_000) });
    const [old, again, own] = [
      await marks.register('old'),
      await marks.register('again'),
      await marks.register('own', WALLET),
    ];
    expect([marks.until(undefined), marks.until(WALLET)]).toEqual([new Date(180 * 86_400_000), undefined]);
    day = 100;
    await marks.register('again');
    expect(await marks.sweep(new Date(181 * 86_400_000))).toBe(1);
    const found = await Promise.all([old, again, own].map((id) => marks.find(id)));
    expect(found.map((mark) => mark?.payload)).toEqual([undefined, 'again', 'own']);
  });

  test('two payloads with colliding ids get different ids', async () => {
    const idOf = (_payload: Uint8Array, { attempt }: { attempt: number }) => `00000000000${attempt}`;
    const marks = await marksOn(open, { idOf });
    const ids = [await marks.register('first'), await marks.register('second')];
    expect(ids).toEqual(['000000000000', '000000000001']);
    expect((await marks.find(ids[1]!))?.payload).toBe('second');
  });

  test.each([
    ['the picture itself', { frame: PICTURE }, { standing: 'bound', share: 1, isExact: false }],
    ['the very pixels', { frame: PICTURE, pixels: EXACT }, { standing: 'bound', isExact: true }],
    [
      'a picture that looks different',
      { frame: OTHER, pixels: EXACT },
      { standing: 'moved', isExact: false },
    ],
    ['half of it beside something else', { frame: HALF }, { standing: 'part' }],
    ['something flat', { frame: FLAT }, { standing: 'moved' }],
    ['another text under its id', { frame: PICTURE, payload: 'mine' }, { standing: 'other_payload' }],
    ['only its id', { frame: PICTURE, payload: undefined }, { standing: 'bound' }],
  ])('a mark bound to an image, read from %s', async (_what, reading, judged) => {
    const marks = await marksOn(open, { now: () => new Date(86_400_000) });
    const id = await marks.register('Ada', WALLET, 'f'.repeat(64));
    const binding = { payload: 'Ada', signer: WALLET, pixelsSha256: EXACT, likeness: likenessOf(PICTURE) };
    const jws = await marks.bind(id, { ...binding, measured: { psnr_db: 42 } });
    const {
      frame,
      pixels = '0',
      ...rest
    }: { frame: Frame; pixels?: string; payload?: string | undefined } = reading;
    const found = await marks.judge({
      id,
      payload: 'Ada',
      seen: see(frame),
      pixelsSha256: async () => pixels,
      ...rest,
    });
    expect(found).toMatchObject({ ...judged, signer: WALLET, signedAt: new Date(86_400_000), jws });
  });

  test('an image without visual detail yields no image comparison', async () => {
    const marks = await marksOn(open);
    const id = await marks.register('Ada');
    await marks.bind(id, { payload: 'Ada', pixelsSha256: EXACT, likeness: likenessOf(FLAT), measured: {} });
    const reading = { id, payload: 'Ada', seen: see(FLAT), pixelsSha256: async () => EXACT };
    expect(await marks.judge(reading)).toMatchObject({ standing: 'unclear', isExact: false });
  });

  test.each([
    ['none was kept', false, signer],
    [
      'the statement was signed by a key that is not ours',
      true,
      createSigner(generateKeyPairSync('ed25519').privateKey),
    ],
  ])('a mark is reported as plain when %s', async (_why, isBound, ours) => {
    const marks = await marksOn(open, {}, ours);
    const id = await marks.register('Ada', WALLET);
    const likeness = likenessOf(PICTURE);
    if (isBound) await marks.bind(id, { payload: 'Ada', pixelsSha256: EXACT, likeness, measured: {} });
    const reading = { id, payload: 'Ada', seen: see(PICTURE), pixelsSha256: async () => EXACT };
    expect(await marks.judge(reading)).toEqual({
      standing: 'plain',
      isExact: false,
      sentence: expect.stringContaining('Anyone could have embedded'),
    });
  });

  test('the same text in another image has another id, and rebinding replaces the first binding', async () => {
    const marks = await marksOn(open);
    const ids = [await marks.register('Ada', WALLET, 'a'), await marks.register('Ada', WALLET, 'b')];
    const binding = { payload: 'Ada', pixelsSha256: EXACT, likeness: likenessOf(PICTURE) };
    await marks.bind(ids[0]!, { ...binding, measured: { strength: 0.5 } });
    const second = await marks.bind(ids[0]!, { ...binding, measured: { strength: 0.8 } });
    const reading = { id: ids[0], payload: 'Ada', seen: see(PICTURE), pixelsSha256: async () => EXACT };
    expect(ids[1]).not.toBe(ids[0]);
    expect(await marks.judge(reading)).toMatchObject({ jws: second });
  });
});
