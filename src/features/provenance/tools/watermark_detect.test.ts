import { hashPixels } from '@atelier/imaging/provenance/soulmark/hash_pixels.ts';
import { detectWatermark } from '@atelier/imaging/watermark/detect_watermark.ts';
import { embedWatermark } from '@atelier/imaging/watermark/embed_watermark.ts';
import { expect, test } from 'vitest';
import { withMetadataPassthrough } from '../../../core/workers/metadata_passthrough.ts';
import { MARKABLE_PNG_B64 } from './markable_picture.ts';
import { watermarkDetect } from './watermark_detect.ts';
import { watermarkEmbed } from './watermark_embed.ts';

const ENGINES = {
  watermark_embed: withMetadataPassthrough(embedWatermark),
  watermark_detect: detectWatermark,
  hash_pixels: hashPixels,
};

function services(readings?: object) {
  const kept = new Map<string, string>();
  return {
    pixels: {
      run: (name: keyof typeof ENGINES, input: never) =>
        readings && name === 'watermark_detect' ? readings : ENGINES[name](input, () => {}),
    },
    manifests: {},
    results: {
      keep: async () => ({ handle: 'result:1', url: 'http://localhost/results/1', expiresAt: new Date(0) }),
    },
    marks: {
      until: () => undefined,
      bind: async (_id: string, { signer }: { signer?: string }) => `signed by ${signer ?? 'no one'}`,
      judge: async () => ({ standing: 'plain', isExact: false, sentence: 'Anybody may have embedded it.' }),
      register: async (payload: string) => {
        kept.set('0123456789ab', payload);
        return '0123456789ab';
      },
      find: async (id: string) => {
        const payload = kept.get(id);
        return payload === undefined ? undefined : { id, payload, createdAt: new Date(0) };
      },
    },
  } as never;
}
const warnings: string[] = [];
const call = { signal: AbortSignal.timeout(60_000), warn: (text: string) => warnings.push(text) } as never;
const image = (bytes: Uint8Array) => ({ bytes, format: 'png', width: 256, height: 256 }) as never;
const asked = (bytes: Uint8Array, parts = false) => ({ image: image(bytes), parts });

test('an embedded watermark is detected, and both responses match their schemas', async () => {
  const input = {
    ...watermarkEmbed.input.parse(watermarkEmbed.examples[0]),
    image: image(Buffer.from(MARKABLE_PNG_B64, 'base64')),
  };
  const marked = await watermarkEmbed.run(input, services(), call);
  expect(watermarkEmbed.output.strict().safeParse(marked).error).toBeUndefined();
  expect(marked).toMatchObject({ payload_embedded: 'Ada, 17', strength: 0.5, registry_id: '0123456789ab' });

  const found = await watermarkDetect.run(asked(Buffer.from(marked.image_b64!, 'base64')), services(), call);
  expect(watermarkDetect.output.strict().safeParse(found).error).toBeUndefined();
  expect(found).toMatchObject({
    watermark_found: true,
    payload_detected: 'Ada, 17',
    payload_source: 'picture',
    registry_id: '0123456789ab',
  });
  expect(found.confidence).toBeGreaterThan(0.999999);
});

test('an id is resolved to its payload, and the response states this', async () => {
  const read = {
    read: 'id',
    id: '0123456789ab',
    falsePositiveProbability: 1e-8,
    engine: { name: 'x', version: '1' },
  };
  const offered = services(read) as { marks: { register(payload: string): Promise<string> } };
  const unknown = await watermarkDetect.run(asked(Buffer.of()), offered as never, call);
  expect(unknown).toMatchObject({ watermark_found: true, payload_detected: null, payload_source: null });
  await offered.marks.register('kept here');
  const found = await watermarkDetect.run(asked(Buffer.of()), offered as never, call);
  expect(found).toMatchObject({ payload_detected: 'kept here', payload_source: 'registry' });
});

test('an image without a watermark yields none', async () => {
  const found = await watermarkDetect.run(asked(Buffer.from(MARKABLE_PNG_B64, 'base64')), services(), call);
  expect(found).toMatchObject({
    watermark_found: false,
    payload_detected: null,
    confidence: 0,
    registry_id: null,
  });
});

test('watermarks in image regions are returned with their positions', async () => {
  const mark = { read: 'payload', falsePositiveProbability: 1e-8 };
  const readings = {
    ...mark,
    payload: 'left',
    moved: { rotationDegrees: 0, scale: 0.5, mirrored: false },
    engine: { name: 'x', version: '1' },
    marks: [
      { ...mark, payload: 'left', where: { x: 0, y: 9, width: 80, height: 60 } },
      { ...mark, payload: 'right', id: '0123456789ab', where: { x: 80, y: 0, width: 40, height: 30 } },
    ],
  };
  const found = await watermarkDetect.run(asked(Buffer.of(), true), services(readings), call);
  expect(watermarkDetect.output.strict().safeParse(found).error).toBeUndefined();
  expect(found).toMatchObject({ watermark_found: true, payload_detected: 'left', moved: { scale: 0.5 } });
  expect(found.marks).toMatchObject([
    { payload_detected: 'left', where: { left: 0, top: 9, width: 80, height: 60 } },
    { payload_detected: 'right', registry_id: '0123456789ab', where: { left: 80, top: 0 } },
  ]);
});

test('a watermark is signed only for a proven wallet', async () => {
  const input = {
    ...watermarkEmbed.input.parse({ ...watermarkEmbed.examples[0], sign: true }),
    image: image(Buffer.from(MARKABLE_PNG_B64, 'base64')),
  };
  const wallet = `0x${'a'.repeat(40)}`;
  await expect(
    watermarkEmbed.run(input, services(), { ...(call as object), wallet } as never),
  ).rejects.toMatchObject({ code: 'proof_required' });
  const proved = { ...(call as object), wallet, proof: { wallet, by: 'session' } } as never;
  expect(await watermarkEmbed.run(input, services(), proved)).toMatchObject({
    signed_by: wallet,
    statement: `signed by ${wallet}`,
  });
});
