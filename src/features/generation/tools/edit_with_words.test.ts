import { expect, test } from 'vitest';
import { coerceInput } from '../../../pipeline/coerce_input.ts';
import { editWithWords } from './edit_with_words.ts';

const read = (sent: object) => {
  const { sent: coerced } = coerceInput(editWithWords.input, { image: 'x', ...sent });
  return editWithWords.input.safeParse(coerced);
};

test.each([{ prompt: 'make it night' }, { instruction: 'make it night' }, { words: ' make it night' }])(
  '%j sets the prompt',
  (sent) => expect(read(sent).data).toMatchObject({ prompt: 'make it night' }),
);

test.each([{}, { prompt: '' }, { prompt: 'x'.repeat(4001) }])('%j is rejected', (sent) => {
  expect(read(sent).error?.issues[0]?.path[0]).toBe('prompt');
});

test('the provider receives a downscaled copy without metadata', async () => {
  const ran: [string, Record<string, unknown>][] = [];
  const pixels = {
    run: async (engine: string, input: Record<string, unknown>) => {
      ran.push([engine, input]);
      return { bytes: new Uint8Array(3) };
    },
  };
  const asked: object[] = [];
  const generation = {
    model: { name: 'm', provider: 'p' },
    make: async (request: object) => {
      asked.push(request);
      throw new Error('stop here');
    },
  };
  const image = { bytes: new Uint8Array(9), format: 'jpeg', width: 4000, height: 2000 } as const;
  const call = { onProgress: () => {} };
  const results = { requireRoom: async () => {} };
  await editWithWords
    .run({ image, prompt: 'x', output: 'url' }, { pixels, generation, results } as never, call as never)
    .catch(() => {});
  expect(ran).toMatchObject([['resize', { width: 1536, height: 768, format: 'png' }]]);
  expect(ran[0]?.[1]).not.toHaveProperty('carry');
  expect(asked).toEqual([{ prompt: 'x', image: new Uint8Array(3) }]);
});
