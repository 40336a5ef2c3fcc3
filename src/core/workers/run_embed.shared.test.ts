import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { createModels } from '../../features/models/service.ts';
import { type EmbedderFile, runEmbedPicture, runEmbedText } from './run_embed.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/models/', import.meta.url));
const COLORS = { red: '#ff0000', green: '#008000', blue: '#0000ff', yellow: '#ffff00', white: '#ffffff' };
const folder = mkdtempSync(join(tmpdir(), 'atelier-standin-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a substitute for TinyCLIP with the CLIP vocabulary', needs('../shared'), () => {
  let network: EmbedderFile;
  beforeAll(async () => {
    const models = createModels({ folder, provider: 'cpu', fetch });
    for (const file of ['clip_standin.onnx', 'clip_tokenizer/tokenizer.json'])
      await models.add(join(SHARED, file), { accept: true });
    network = (await models.embedder())!;
  });

  test.each(Object.entries(COLORS))(
    'a %s image is most similar to its own caption',
    async (name, background) => {
      const bytes = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
      const picture = await runEmbedPicture({ bytes, network });
      const similarities = await Promise.all(
        Object.keys(COLORS).map(async (color) => {
          const words = await runEmbedText({ text: `a ${color} picture`, network });
          return [color, words.reduce((sum, value, at) => sum + value * picture[at]!, 0)] as const;
        }),
      );
      const [best, next] = similarities.sort(([, one], [, other]) => other - one);
      // The publishers measured 0.977 to 0.984, and at most 0.47 for the runner-up among their prompts.
      expect([best![0], best![1] > 0.9, next![1] < 0.6]).toEqual([name, true, true]);
    },
  );
});
