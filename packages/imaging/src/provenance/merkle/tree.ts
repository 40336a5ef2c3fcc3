import { createHash } from 'node:crypto';

/**
 * Position of a node in a Merkle tree of certificate transparency (RFC 9162, 2.1, the same as RFC 6962). Trees grow to the right, so the hash of each
 * full subtree is final: `level` 0 are the leaves, and the node `index` of a level covers the leaves from index · 2^level to (index + 1) · 2^level.
 * All other hashes are computed from those.
 */
export interface NodePlace {
  readonly level: number;
  readonly index: number;
}

/** Returns the hash of a stored full subtree. */
export type NodeHash = (place: NodePlace) => Uint8Array;

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const EMPTY_ROOT = sha256();
export const leafHash = (data: Uint8Array): Buffer => sha256(Buffer.of(0), data);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(1), left, right);

/** A range of leaves, excluding the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The full subtrees of a range, left to right; its left end is a multiple of the largest. */
function subtreesOf({ from, to }: Range): NodePlace[] {
  const places: NodePlace[] = [];
  for (let at = from; at < to; ) {
    let level = 0;
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1;
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

/** The largest power of two below a number of leaves: the split point of RFC 9162. */
const splitOf = (count: number): number => 2 ** (Math.ceil(Math.log2(count)) - 1);

/** The ranges of an inclusion proof, from the leaf upwards. RFC 9162, 2.1.3.1 */
function inclusionRanges(leaf: number, { from, to }: Range): Range[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return leaf < middle
    ? [...inclusionRanges(leaf, { from, to: middle }), { from: middle, to }]
    : [...inclusionRanges(leaf, { from: middle, to }), { from, to: middle }];
}

/** The ranges of a consistency proof between two tree sizes. RFC 9162, 2.1.4.1 */
function consistencyRanges(first: number, { from, to }: Range, isWhole: boolean): Range[] {
  if (first === to - from) return isWhole ? [] : [{ from, to }];
  const split = splitOf(to - from);
  const middle = from + split;
  return first <= split
    ? [...consistencyRanges(first, { from, to: middle }, isWhole), { from: middle, to }]
    : [...consistencyRanges(first - split, { from: middle, to }, false), { from, to: middle }];
}

/** A query of the tree: the full subtrees it needs, and the function that computes its hashes from them. */
export interface Question {
  readonly places: readonly NodePlace[];
  answer(hashOf: NodeHash): Buffer[];
}

const questionOf = (ranges: readonly Range[]): Question => ({
  places: ranges.flatMap(subtreesOf),
  answer: (hashOf) => ranges.map((range) => rangeHash(subtreesOf(range), hashOf)),
});

function rangeHash(places: readonly NodePlace[], hashOf: NodeHash): Buffer {
  const hashes = places.map((place): Buffer => Buffer.from(hashOf(place)));
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Query for the root of the tree of the first `size` leaves, as the only hash. */
export const rootQuestion = (size: number): Question => questionOf([{ from: 0, to: size }]);
/** @param leaf its index, below `size` */
export const inclusionQuestion = (leaf: number, size: number): Question =>
  questionOf(inclusionRanges(leaf, { from: 0, to: size }));
/** @param first above 0, at most `second` */
export const consistencyQuestion = (first: number, second: number): Question =>
  questionOf(consistencyRanges(first, { from: 0, to: second }, true));

/** The subtrees that become full when leaves are appended to a tree of `size`, leaves first; each after its children. */
export function grow(
  size: number,
  leaves: readonly Uint8Array[],
  hashOf: NodeHash,
): { place: NodePlace; hash: Uint8Array }[] {
  const made = new Map<string, Uint8Array>();
  const added: { place: NodePlace; hash: Uint8Array }[] = [];
  const keyOf = ({ level, index }: NodePlace) => `${level}/${index}`;
  const nodeAt = (place: NodePlace) => made.get(keyOf(place)) ?? hashOf(place);
  const add = (place: NodePlace, hash: Uint8Array) => {
    made.set(keyOf(place), hash);
    added.push({ place, hash });
  };
  for (const [offset, leaf] of leaves.entries()) {
    let place: NodePlace = { level: 0, index: size + offset };
    add(place, leaf);
    while (place.index % 2 === 1) {
      const hash: Uint8Array = nodeHash(nodeAt({ ...place, index: place.index - 1 }), nodeAt(place));
      place = { level: place.level + 1, index: (place.index - 1) / 2 };
      add(place, hash);
    }
  }
  return added;
}

/** The full subtrees of a tree that `grow` may need. */
export const edgeOf = (size: number): NodePlace[] => subtreesOf({ from: 0, to: size });
