import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { DIHEDRAL, hashedLuma, pdqOf } from './pdq.ts';

interface Expected {
  readonly file: string;
  readonly reference_cpp: {
    readonly hash: string;
    readonly quality: number;
    readonly dihedral: Record<string, string>;
  } | null;
}

const FOLDER = fileURLToPath(new URL('../../../../../../shared/fixtures/pdq/', import.meta.url));
const { images, lossless } = existsSync(FOLDER)
  ? (JSON.parse(readFileSync(`${FOLDER}expected.json`, 'utf8')) as Record<'images' | 'lossless', Expected[]>)
  : { images: [], lossless: [] };
/** The reference decoded the WebP as an empty image. */
const references = [...images, ...lossless].filter(
  ({ file, reference_cpp }) => reference_cpp && !file.endsWith('.webp'),
);

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');
const distance = (one: string, other: string): number => {
  const differing = BigInt(`0x${one}`) ^ BigInt(`0x${other}`);
  return [...differing.toString(2)].filter((bit) => bit === '1').length;
};

describe('the reference', needs('../shared'), () => {
  test.each(references)(
    '$file has the expected hash, quality and eight dihedral hashes',
    async (expected) => {
      const { hash, quality, dihedral } = expected.reference_cpp!;
      const ours = pdqOf((await hashedLuma(readFileSync(FOLDER + expected.file))).luma);
      const hashes = ours.hashes.map(hex);

      expect(ours.quality).toBe(quality);
      // One narrow image has coefficients that differ from the median only in the last digit of a float.
      expect(Math.max(...DIHEDRAL.map((name, at) => distance(hashes[at]!, dihedral[name]!)))).toBeLessThan(5);
      expect(hashes[0]).toBe(hash);
    },
  );
});
