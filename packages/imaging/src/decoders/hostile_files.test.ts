import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { DECODER_RESOURCES as resources } from '../../../../tests/support/decoder_resources.ts';
import { writeApng } from '../../../../tests/support/write_apng.ts';
import { writeAvifSequence } from '../../../../tests/support/write_avif_sequence.ts';
import { writeBmp } from '../../../../tests/support/write_bmp.ts';
import { writePackedTiff } from '../../../../tests/support/write_packed_tiff.ts';
import { writePdf } from '../../../../tests/support/write_pdf.ts';
import { writePsd } from '../../../../tests/support/write_psd.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { decodePicture } from './decode_picture.ts';
import { decodeFrames } from './frames.ts';
import { sizeProperty, writeBox, writeHeif } from './heif_boxes.ts';
import type { DecodedFormat } from './types.ts';

const drawn = sharp({ create: { width: 24, height: 16, channels: 4, background: '#a0408080' } });
const plane = new Uint8Array(24 * 16).map((_, at) => at);
const jpeg = await drawn.clone().flatten().jpeg().toBuffer();
const png = await drawn.clone().png().toBuffer();

/** An icon with one PNG. */
const icon = Buffer.concat([
  Buffer.of(0, 0, 1, 0, 1, 0, 24, 16, 0, 0, 1, 0, 32, 0, png.length, 0, 0, 0, 22, 0, 0, 0),
  png,
]);
const heic = writeHeif(
  ['heic', 'mif1'],
  [
    {
      type: 'hvc1',
      data: Buffer.from('AAAAKSgBrwngITl1X//8UD///GI3IfwcYlP//GC8+/xzVf/9260KuBn//M7/', 'base64'),
      properties: [
        writeBox(
          'hvcC',
          Buffer.from(
            'AQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubgQEDAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQA==',
            'base64',
          ),
        ),
        sizeProperty(64, 64),
      ],
    },
  ],
);
const avif = () => drawn.clone().flatten().resize(32, 16).avif({ effort: 0 }).toBuffer();
/** 768 bytes compressed by xz. */
const XZ =
  '/Td6WFoAAAD/EtlBAgEDAQIhARby6M1E4AL/AFVtAABoAoxbbtOfHbxWipk9zhqwk+BWgorMN0f5Vm6D2PHytuhPdgn+Cb0OUf5Fl9Rl8vs2BtEfP0rSqnfSgqpNOrdb1MlyvAF/EKmHrvNWE65GiD2fpAAAAAAAAAFpgAYAAAABZSN4qAAK/AIAAAAAAFla';
const rows = Array.from({ length: 6 }, () => Array.from({ length: 7 }, () => [1, 2, 3, 255] as const));

/** A valid file of each format, and the number of corrupted copies tried: fewer where each takes milliseconds. */
const SEEDS: readonly [DecodedFormat, Uint8Array, number][] = [
  ['bmp', writeBmp({ rows, bits: 24 }), 300],
  [
    'bmp',
    writeBmp({
      width: 3,
      height: 2,
      bits: 8,
      palette: [[1, 2, 3, 255]],
      runs: [3, 1, 0, 0, 0, 3, 0, 1, 2, 0, 0, 1],
    }),
    300,
  ],
  ['ico', icon, 100],
  [
    'psd',
    writePsd({
      width: 24,
      height: 16,
      mode: 3,
      depth: 8,
      planes: [plane, plane, plane, plane],
      layers: -1,
      isPacked: true,
    }),
    300,
  ],
  ['tiff', writePackedTiff({ compression: 50_000, strips: [zstdCompressSync(new Uint8Array(768))] }), 100],
  ['tiff', writePackedTiff({ compression: 34_925, strips: [Buffer.from(XZ, 'base64')] }), 100],
  ['raw', Buffer.concat([Buffer.from('II*\0'), Buffer.alloc(16), jpeg]), 100],
  ['avif', writeAvifSequence({ picture: { still: await avif(), frames: 2 } }), 60],
  ['heic', heic, 15],
  [
    'jxl',
    Buffer.from(
      '/wpYACaAlQgIEADAAEsSCRIYOARBSIENlzkxGBODMTF4vI0ACAAxEABAjGBij/hAoT4r0ggQ4ZYVNOBRPg==',
      'base64',
    ),
    25,
  ],
  [
    'svg',
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><g><rect width="9" height="9"/></g></svg>',
    ),
    100,
  ],
  ['pdf', writePdf('none', { intents: '[]', boxes: '' }), 25],
];

/** A copy with a few bytes changed or its end truncated, deterministic per seed. */
function damage(bytes: Uint8Array, seed: number): Uint8Array {
  let state = seed * 2654435761 + 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const copy = Uint8Array.from(bytes);
  for (let change = 0; change <= random(4); change += 1) {
    const extremes = [0, 1, 0x7f, 0x80, 0xff, random(256)];
    copy[random(copy.length)] = extremes[random(extremes.length)]!;
  }
  return random(5) === 0 ? copy.subarray(0, random(copy.length)) : copy;
}

test.each(SEEDS)('corrupted copies of a %s are either decoded or rejected', async (format, bytes, count) => {
  const refusals: unknown[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const picture = await decodePicture(format, damage(bytes, seed), { resources }).catch((error) => {
      refusals.push(error);
    });
    if (picture) expect(picture.data.length).toBe(picture.width * picture.height * picture.channels);
  }
  expect(refusals.filter((error) => !(error instanceof EngineError))).toEqual([]);
});

test('corrupted copies of animations are either decoded or rejected', async () => {
  const frame = { width: 2, height: 2, data: new Uint8Array(16).fill(200) };
  const apng = await writeApng({
    width: 2,
    height: 2,
    loop: 0,
    frames: [frame, frame, { ...frame, blend: 1 }],
  });
  const refusals: unknown[] = [];
  for (let seed = 1; seed <= 150; seed += 1)
    await decodeFrames(damage(apng, seed)).catch((error) => refusals.push(error));
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.filter((error) => !(error instanceof EngineError))).toEqual([]);
});
