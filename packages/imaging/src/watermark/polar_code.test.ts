import { expect, test } from 'vitest';
import { encodePolar, polarCode } from './coded_mark.ts';
import { decodePolar } from './find_mark.ts';
import { keyedRandom } from './keyed_random.ts';

const bitsOf = (count: number, seed: number) => {
  const next = keyedRandom(seed);
  return Uint8Array.from({ length: count }, () => next() & 1);
};

test('the code is linear, and an error-free codeword is decoded', () => {
  const code = polarCode(256, 85);
  const [one, other] = [bitsOf(85, 1), bitsOf(85, 2)];
  const both = encodePolar(
    code,
    one.map((bit, at) => bit ^ other[at]!),
  );
  const sum = encodePolar(code, one).map((bit, at) => bit ^ encodePolar(code, other)[at]!);
  expect(both).toEqual(sum);

  const likelihoods = Float32Array.from(encodePolar(code, one), (bit) => (bit ? -4 : 4));
  expect(decodePolar(code, likelihoods, () => true)).toEqual(one);
});

test.each([
  [1024, 192],
  [8192, 1792],
])('a codeword of %i bits for %i information bits tolerates one error in six', (length, information) => {
  const code = polarCode(length, information);
  const message = bitsOf(information, 3);
  const next = keyedRandom(4);
  const received = Float32Array.from(encodePolar(code, message), (bit) => {
    const isWrong = next() % 6 === 0;
    return (bit === 1) !== isWrong ? -1.6 : 1.6;
  });
  const accepts = (found: Uint8Array) => found.every((bit, at) => bit === message[at]);
  expect(decodePolar(code, received, accepts)).toEqual(message);
});

test('decoding returns nothing if no candidate is accepted', () => {
  const code = polarCode(512, 100);
  const noise = Float32Array.from({ length: 512 }, (_, at) => ((at * 7919) % 31) / 15 - 1);
  expect(decodePolar(code, noise, () => false)).toBeUndefined();
});
