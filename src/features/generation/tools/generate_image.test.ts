import { expect, test } from 'vitest';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { generateImage } from './generate_image.ts';

const read = (sent: object) => {
  const { sent: coerced } = coerceInput(generateImage.input, sent);
  return generateImage.input.safeParse(coerced);
};

test.each([
  [{}, '1:1'],
  [{ aspect: '16:9' }, '16:9'],
  [{ aspect_ratio: 'Portrait' }, '2:3'],
  [{ size: '1024x1536' }, '2:3'],
  [{ size: '1920 × 1080' }, '16:9'],
  [{ orientation: 'landscape' }, '3:2'],
  [{ ratio: '1.9:1' }, '16:9'],
])('%j is parsed as aspect %s', (sent, aspect) => {
  expect(read({ prompt: 'x', ...sent }).data).toMatchObject({ aspect });
});

test.each([{ text: 'a cat' }, { description: 'a cat' }, { query: ' a cat ' }])(
  '%j sets the prompt',
  (sent) => {
    expect(read(sent).data).toMatchObject({ prompt: 'a cat' });
  },
);

test.each([
  {},
  { prompt: ' ' },
  { prompt: 'x'.repeat(4001) },
  { prompt: 'x', aspect: 'round' },
  { prompt: 'x', seed: -1 },
])('%j is rejected', (sent) => {
  expect(read(sent).error?.issues[0]?.path[0]).toMatch(/prompt|aspect|seed/);
});

test('without a model the error names the setting for the operator', async () => {
  const run = () =>
    generateImage.run({ prompt: 'x', aspect: '1:1', output: 'url' }, {} as never, {} as never);
  await expect(run()).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/not charged.*GENERATION_PROVIDER/),
  });
});
