import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { MANIFEST } from './manifest.ts';
import { createModels } from './service.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/models/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'atelier-models-'));
afterAll(() => rmSync(folder, { recursive: true }));
const models = createModels({ folder, provider: 'cpu', fetch });

describe('published weights in other formats', needs('../shared'), () => {
  test.each([
    ['realesrgan_x4plus', 'equivalent'],
    ['realesr_animevideov3', 'equivalent'],
    ['realesr_general_x4v3', 'rounded'],
  ] as const)('%s: the weights are recognised (%s)', async (name, origin) => {
    const added = models.add(join(SHARED, `${name}.onnx`), { accept: false });
    expect(await added).toMatchObject({ name, origin });
  });

  test.each(['span_x2', 'span_x4'] as const)(
    '%s: ncnn weights and a third-party graph are converted',
    async (name) => {
      const [, scale] = name.split('_');
      const made = await models.add(join(SHARED, `span/span${scale}_ch48.bin`), { accept: false });
      expect(made).toMatchObject({ name, origin: 'official', form: 'safetensors' });
      expect(made.sha256).toBe(MANIFEST[name].converted.sha256);
      expect(await models.faithful(name === 'span_x2' ? 2 : 4)).toMatchObject({ name, provider: 'cpu' });
      const graph = await models.add(join(SHARED, `${name}_ch48.onnx`), { accept: false });
      expect(graph).toMatchObject({ name, origin: 'equivalent', sha256: made.sha256 });
      expect(await models.add(graph.path, { accept: false })).toMatchObject({ name, origin: 'official' });
    },
  );

  test.each([
    ['tagger', 'imagenet_mobilenet_v2/mobilenet_v2_1.0_224_quant.tflite'],
    ['content_rating', 'nsfw_mobilenet_v2/model.json'],
  ] as const)('%s: the graph converted from the published file matches the manifest', async (name, path) => {
    const added = await models.add(join(SHARED, path), { accept: false });
    expect(added).toMatchObject({ name, origin: 'official', form: 'onnx' });
    expect(added.sha256).toBe(MANIFEST[name].converted.sha256);
  });

  test.each([
    ['tagger', 'imagenet_mobilenet_v2.onnx'],
    ['content_rating', 'nsfw_mobilenet_v2.onnx'],
    ['text_detection', 'text_detection_ppocrv3.onnx'],
    ['person_mask', 'person_segmentation_pphumansegv1_lite.onnx'],
  ])('%s: another export is recognised by its inputs and outputs', async (name, file) => {
    await expect(models.add(join(SHARED, file), { accept: false })).rejects.toThrow(`matches ${name}, but`);
    expect(await models.add(join(SHARED, file), { accept: true })).toMatchObject({
      name,
      origin: 'unofficial',
    });
  });

  test('the published face network is recognised by its sha256', async () => {
    const added = models.add(join(SHARED, 'face_detection_yunet_2026may.onnx'), { accept: false });
    expect(await added).toMatchObject({ name: 'yunet', origin: 'official' });
    expect((await models.eyes()).faces).toMatchObject({ name: 'yunet', provider: 'cpu' });
  });

  test('a published background removal network is recognised by its input size', async () => {
    const added = models.add(join(SHARED, 'u2netp.onnx'), { accept: true });
    expect(await added).toMatchObject({ name: 'u2netp', form: 'onnx', origin: 'unofficial' });
  });
});
