import { expect, test } from 'vitest';
import { watermarkEmbed } from './watermark_embed.ts';

test.each([
  ['nothing', '', false],
  ['257 characters', 'x'.repeat(257), false],
  ['256 characters outside the first plane', '🎨'.repeat(256), true],
  ['half a pair', 'a\ud800', false],
  ['zeros and text from right to left', '\0حقوق', true],
])('a payload of %s', (_name, payload, taken) => {
  expect(watermarkEmbed.input.safeParse({ image: 'x', payload }).success).toBe(taken);
});
