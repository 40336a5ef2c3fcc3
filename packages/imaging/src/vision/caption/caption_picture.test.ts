import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  captionVocabulary,
  standInDecoder,
  standInEncoder,
  standInVision,
  standInWords,
} from '../../../../../tests/fixtures/stand_in_captioner.ts';
import { openSession } from '../../onnx/open_session.ts';
import { ANSWER_TOKENS_MAX, captionPicture } from './caption_picture.ts';
import { readCaptionTokenizer } from './tokenizer.ts';

const tokenizer = readCaptionTokenizer(captionVocabulary());
const captioner = {
  vision: await openSession(standInVision()),
  words: await openSession(standInWords()),
  encoder: await openSession(standInEncoder()),
  decoder: await openSession(standInDecoder()),
  tokenizer,
};
const plain = (background: string) =>
  sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();

test.each([
  ['red', 'a red picture'],
  ['blue', 'a blue picture'],
])('a %s image is captioned token by token', async (color, caption) => {
  expect(await captionPicture(await plain(color), captioner)).toEqual({
    caption,
    paragraph: caption,
    things: ['car'],
  });
});

test('an endless caption is truncated, and no trigram repeats', async () => {
  const asked: number[] = [];
  const endless = {
    ...captioner.decoder,
    async runNamed({ inputs_embeds: embeds }: Record<string, { data: unknown }>) {
      asked.push((embeds!.data as Float32Array)[0]!);
      const logits = Float32Array.from({ length: 13 }, (_, token) => (token === 2 ? -1 : 1 / (1 + token)));
      return new Map([['logits', { data: logits, sides: [1, 1, 13] }]]);
    },
  };
  await captionPicture(await plain('red'), { ...captioner, decoder: endless });
  expect(asked.length).toBeGreaterThan(3 * 20);
  expect(asked.length).toBeLessThanOrEqual(3 * (ANSWER_TOKENS_MAX + 1));
  const runs = asked.slice(1, ANSWER_TOKENS_MAX).map((_, at) => asked.slice(at + 1, at + 4).join(' '));
  expect(runs[0]).not.toBe(runs[1]);
});

test('text is decoded from bytes, and location tokens are kept', () => {
  expect(tokenizer.decode([0, 3, 4, 11, 999, 2])).toBe('a red<loc_0>');
  expect(tokenizer.encode('Locate')).toEqual([0, 10, 2]);
});

test.each(['', '{}', '[]', '{"model":{"type":"BPE","vocab":{},"merges":[]},"added_tokens":[]}'])(
  '%j is not a Florence-2 vocabulary',
  (text) => expect(() => readCaptionTokenizer(Buffer.from(text))).toThrow('not a Florence-2 vocabulary'),
);
