import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import { colorEncoders } from '../../../tests/fixtures/color_encoders.ts';
import { tinyVocabulary } from '../../../tests/fixtures/tiny_vocabulary.ts';
import { createModels } from '../../features/models/service.ts';
import { createPixels } from './workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-embed-'));
const models = createModels({ folder: join(folder, 'models'), provider: 'cpu', fetch });
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
const control = { pixels: 1e4, signal: AbortSignal.timeout(60_000) };
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});
const fileOf = (name: string, bytes: Uint8Array): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};

test('an encoder pair is recognised by its outputs and needs its vocabulary', async () => {
  const graph = fileOf('graph.onnx', colorEncoders());
  await expect(models.add(graph, { accept: false })).rejects.toThrow('matches tinyclip, but');
  expect(await models.add(graph, { accept: true })).toMatchObject({ name: 'tinyclip', origin: 'unofficial' });
  expect(await models.embedder()).toBeUndefined();
  const words = fileOf('tokenizer.json', tinyVocabulary());
  expect(await models.add(words, { accept: true })).toMatchObject({
    name: 'tinyclip_tokenizer',
    form: 'json',
  });
  expect(await models.embedder()).toMatchObject({
    name: 'tinyclip',
    tokenizer: { name: 'tinyclip_tokenizer' },
  });
  await expect(models.add(fileOf('x', Buffer.from('{}')), { accept: true })).rejects.toThrow(
    'not a CLIP vocabulary',
  );
});

test.each(['jpeg', 'png', 'grey'] as const)(
  'the embedding of an image (%s) is close to that of its caption',
  async (form) => {
    const network = (await models.embedder())!;
    const red = sharp({
      create: { width: 90, height: 60, channels: 3, background: form === 'grey' ? '#888' : 'red' },
    });
    const bytes = await (form === 'grey' ? red.toColourspace('b-w').png() : red.toFormat(form)).toBuffer();
    const picture = await pool.run('embed_picture', { bytes, network }, control);
    const near = async (text: string) => {
      const words = await pool.run('embed_text', { text, network }, control);
      const product = words.reduce((sum, value, at) => sum + value * picture[at]!, 0);
      return product / (Math.hypot(...words) * Math.hypot(...picture));
    };
    const [toRed, toBlue] = [await near('a RED cat'), await near('blue')];
    if (form === 'grey') expect(Math.max(...picture) - Math.min(...picture)).toBeLessThan(0.4);
    else expect([toRed > 0.95, toBlue < 0.3]).toEqual([true, true]);
  },
);
