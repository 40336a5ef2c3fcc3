import type { NamingState } from './types.ts';

/** How far the pair of encoders is, in words for whoever looks after a server. */
export function namingText(state: NamingState): string {
  if (state.kind === 'absent') return 'no pair of encoders is installed';
  const vectors = state.hasVectors
    ? ''
    : '; the vectors of its terms are made in the background of a running server';
  if (state.kind === 'uncalibrated')
    return `${state.network} names no subjects: nobody has measured how often it is right (atelier models calibrate <labels> <pictures>)${vectors}`;
  const { pictures, groups } = state.calibration;
  if (state.kind === 'silent')
    return `${state.network} names no subjects: on ${pictures} labelled pictures it was not right nine times in ten about any group of terms`;
  const spoken = groups.flatMap(({ group, speaks }) => (speaks ? [GROUP_TEXTS[group]] : []));
  return `${state.network} names ${spoken.join(', ')}, as measured on ${pictures} labelled pictures${vectors}`;
}

const GROUP_TEXTS = {
  broad: 'the widest terms',
  narrow: 'animals and landscapes',
  thing: 'other things',
  scene: 'other scenes',
  genre: 'genres',
} as const;
