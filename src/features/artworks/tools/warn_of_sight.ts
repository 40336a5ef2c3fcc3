import type { SightUsed } from '../image_embeddings/types.ts';

/** Says how more would be found, where the words found too little, and what nobody vouches for. */
export function warnOfSight(
  { seen, total, relaxed }: { seen?: SightUsed; total: number; relaxed: readonly string[] },
  isLike: boolean,
  warn: (text: string) => void,
): void {
  if (!seen?.network && (isLike || total === 0 || relaxed.length > 0)) warn(SIGHT_HINT);
  if (seen?.used && seen.network?.origin === 'unofficial')
    warn(`What pictures show is found with a file of ${seen.network.name} that nobody vouches for.`);
}

const SIGHT_HINT =
  'Works can also be found by what their pictures show, once the operator has fetched the network for it: npx atelier models pull tinyclip (28 MB).';
