import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { createPixels } from './workers.ts';

/** The published models, together, in a separate process. */

const SHARED = new URL('../../../../shared/', import.meta.url);
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
const control = { pixels: 1e6, signal: AbortSignal.timeout(60_000) };
afterAll(() => pool.close());

function stored(name: string, file: string) {
  const path = fileURLToPath(new URL(`models/${file}`, SHARED));
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, path, bytes: bytes.length, sha256, provider: 'cpu' as const };
}

test('all installed models run, and missing models report nothing', needs('../shared'), async () => {
  const faces = stored('yunet', 'face_detection_yunet_2026may.onnx');
  const networks = {
    faces,
    writing: stored('ppocrv3_det', 'text_detection_ppocrv3.onnx'),
    people: stored('pp_humanseg', 'person_segmentation_pphumansegv1_lite.onnx'),
    rating: stored('nsfw_mobilenet_v2', 'nsfw_mobilenet_v2.onnx'),
  };
  const picture = (name: string) => readFileSync(new URL(`images/artworks/${name}`, SHARED));
  const bytes = picture('met-435641-giovanni-bellini-madonna-and-child.jpg');
  const seen = await pool.run('see', { bytes, networks }, control);
  expect(seen).toMatchObject({ facesBy: 'yunet', writingBy: 'ppocrv3_det', people: { by: 'pp_humanseg' } });
  expect([seen.faces?.length, seen.writing?.length, seen.rating]).toEqual([2, 2, undefined]);
  expect(Object.keys(await pool.run('see', { bytes, networks: { faces } }, control))).toEqual([
    'faces',
    'facesBy',
  ]);
  const nude = picture('met-437826-titian-venus-and-adonis.jpg');
  const { rating } = networks;
  expect(await pool.run('see', { bytes: nude, networks: { faces, rating } }, control)).toMatchObject({
    rating: { by: 'nsfw_mobilenet_v2' },
  });
  const kitten = readFileSync(new URL('images/train/budgie-kitten-on-lawn.jpg', SHARED));
  const tagger = stored('tagger', 'imagenet_mobilenet_v2.onnx');
  const { subjects } = await pool.run('see', { bytes: kitten, networks: { tagger } }, control);
  expect(subjects?.flatMap(({ term, broader }) => [term, ...broader])).toContain('animal');
  await expect(
    pool.run('see', { bytes, networks: { faces: { ...faces, sha256: 'f00d' } } }, control),
  ).rejects.toThrow('missing or damaged');
});
