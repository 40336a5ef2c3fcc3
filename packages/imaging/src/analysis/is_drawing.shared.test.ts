import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { isDrawing } from './is_drawing.ts';

const IMAGES = new URL('../../../../../shared/images/', import.meta.url);

async function drawn(pattern: string): Promise<{ count: number; drawings: string[] }> {
  const paths = globSync(fileURLToPath(new URL(pattern, IMAGES))).sort();
  const drawings: string[] = [];
  for (const path of paths) if (await isDrawing(readFileSync(path))) drawings.push(basename(path));
  return { count: paths.length, drawings };
}

/** Ensures that `compare_upscalers` recommends a model for drawings for none of them. */
test.each([
  ['photo/*.png', 5, []],
  ['art/*.jpg', 2, []],
  ['artworks/*.jpg', 58, []],
  ['matting/*_image.*', 5, []],
  // A slide with text and lines.
  ['sr/*/x4/HR/*.png', 15, ['ppt3.png']],
  ['anime/*_rgba.png', 2, ['pepper_broom_rgba.png', 'pepper_tea_rgba.png']],
])(
  'drawings in %s are distinguished from photographs and paintings',
  needs('../shared'),
  async (pattern, count, drawings) => {
    expect(await drawn(pattern)).toEqual({ count, drawings });
  },
);
