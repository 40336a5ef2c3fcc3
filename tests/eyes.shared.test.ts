import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPixels } from '../src/core/workers/workers.ts';
import { createEnrichment } from '../src/features/enrichment/service.ts';
import { createKeptTerms, createSubjects } from '../src/features/enrichment/subjects/subjects.ts';
import { createModels } from '../src/features/models/service.ts';
import { NOTHING_GIVEN } from './support/nothing_given.ts';
import { needs } from './support/test_requirements.ts';

/** The published networks, installed from files, from a picture to its metadata. */

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
const GIVEN = { ...NOTHING_GIVEN, content_type: 'photo' } as const;
const folder = mkdtempSync(join(tmpdir(), 'atelier-eyes-'));
const models = createModels({ folder, provider: 'cpu', fetch });
const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 120_000 });
const subjects = createSubjects({
  models,
  pixels,
  kept: createKeptTerms(join(folder, 'terms')),
  note() {},
});
const enrichment = createEnrichment({
  pixels,
  async eyes() {
    const { embedder: _, ...looking } = await models.eyes();
    const naming = await subjects.naming();
    return naming ? { ...looking, embedder: naming } : looking;
  },
});
afterAll(async () => {
  await pixels.close();
  rmSync(folder, { recursive: true });
});
beforeAll(async () => {
  if (needs('../shared').skip) return;
  for (const [name, file] of [
    ['yunet', 'face_detection_yunet_2026may.onnx'],
    ['text_detection', 'text_detection_ppocrv3.onnx'],
    ['content_rating', 'nsfw_mobilenet_v2.onnx'],
    ['tagger', 'imagenet_mobilenet_v2.onnx'],
  ] as const)
    await models.add(join(SHARED, 'models', file), { name, accept: true });
});

async function describe(picture: string | Buffer) {
  const bytes = typeof picture === 'string' ? readFileSync(join(SHARED, 'images', picture)) : picture;
  const image = { bytes, format: 'png', width: 768, height: 512 } as const;
  const observations = { subject: 'something' };
  const asked = {
    image,
    tier: 'premium',
    engine: 'default',
    language: 'en',
    given: GIVEN,
    observations,
  } as const;
  return enrichment.enrich(asked, { signal: AbortSignal.timeout(120_000) });
}

test.each([
  ['photo/kodak_23.png', (answer: Answer) => expect(answer.evidence.keywords?.basis).toBe('observed')],
  [
    'train/texture-metal.jpg',
    (answer: Answer) => {
      expect(answer.contentHint).toBeUndefined();
    },
  ],
  [
    'artworks/met-459078-lucas-cranach-the-younger-nymph-of-the-spring.jpg',
    (answer: Answer) => {
      expect(answer.contentHint).toMatchObject({ by: 'nsfw_mobilenet_v2' });
      expect(answer.metadata).toMatchObject({
        sections: {
          description: {
            writing: {
              value: expect.stringMatching(/^at least \d+ lines?, the largest at the upper right/),
              by: 'text_detection',
            },
            content_hint: { basis: 'model' },
          },
        },
      });
    },
  ],
])('%s', needs('../shared'), async (path, check) => check(await describe(path)));

type Answer = Awaited<ReturnType<typeof describe>>;

const plain = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();

test(
  'the stand-in of the encoders names a brown bear once it has been measured, and nothing before',
  needs('../shared'),
  async () => {
    for (const file of ['clip_standin.onnx', 'clip_tokenizer/tokenizer.json'])
      await models.add(join(SHARED, 'models', file), { accept: true });
    expect(await subjects.naming()).toBeUndefined();
    const bear = SUBJECT_TERMS.get('brown bear')!;
    const watch = { signal: AbortSignal.timeout(100_000), onProgress() {} };
    const labelled = Array.from({ length: 60 }, (_, at) => ({
      file: `${at}`,
      terms: new Set([bear.term, ...bear.broader]),
      half: HALVES[at % 2]!,
      read: () => plain(`rgb(${130 + (at % 20)}, 69, 19)`),
    }));
    await subjects.calibrate(labelled, watch);
    const bytes = await plain('#8b4513');
    const image = { bytes, format: 'png', width: 40, height: 30 } as const;
    const asked = { image, tier: 'standard', engine: 'default', language: 'en', given: GIVEN } as const;
    const after = await enrichment.enrich(asked, { signal: AbortSignal.timeout(120_000) });
    expect(after.measured).toMatchObject({ detected_subjects: ['brown bear'] });
  },
);

const HALVES = ['chosen on', 'held back'] as const;
