import { expect, test } from 'vitest';
import {
  consistencyQuestion,
  EMPTY_ROOT,
  edgeOf,
  grow,
  inclusionQuestion,
  leafHash,
  type NodePlace,
  rootQuestion,
} from './tree.ts';

/** Leaves, roots and proofs from the tests of the reference implementation of certificate transparency. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHash(Buffer.from(hex, 'hex')));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const keyOf = ({ level, index }: NodePlace) => `${level}/${index}`;
/** A tree grown by `step` leaves at a time. */
function growTree(leaves: readonly Uint8Array[], step: number) {
  const nodes = new Map<string, Uint8Array>();
  const hashOf = (place: NodePlace) => nodes.get(keyOf(place))!;
  for (let size = 0; size < leaves.length; size += step) {
    const edge = new Set(edgeOf(size).map(keyOf));
    const added = grow(size, leaves.slice(size, size + step), (place) => {
      if (!edge.has(keyOf(place))) throw new Error(`${keyOf(place)} is not at the edge`);
      return hashOf(place);
    });
    for (const { place, hash } of added) nodes.set(keyOf(place), hash);
  }
  return hashOf;
}
const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

test.each([1, 2, 3, 8])('grown in steps of %i, the tree matches the reference roots', (step) => {
  const hashOf = growTree(LEAVES, step);
  const roots = ROOTS.map((_, index) => rootQuestion(index + 1).answer(hashOf));
  expect(hex(roots.flat())).toEqual(ROOTS);
  expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test.each([
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
  [
    1,
    5,
    [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
])('the inclusion proof of leaf %i of %i matches the reference', (leaf, size, proof) => {
  expect(hex(inclusionQuestion(leaf, size).answer(growTree(LEAVES, 1)))).toEqual(proof);
});

test.each([
  [1, 1, []],
  [
    1,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
])('the consistency proof from %i to %i matches the reference', (first, second, proof) => {
  expect(hex(consistencyQuestion(first, second).answer(growTree(LEAVES, 1)))).toEqual(proof);
});
