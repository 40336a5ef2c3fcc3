import { type Oklab, oklabDistance, oklabOf } from '@atelier/imaging/pixels/oklab.ts';
import survey from 'xkcd-colors';

/** The eleven basic colour terms of English (Berlin and Kay, 1969). */
const BASIC = 'black white grey red orange brown yellow green blue purple pink'.split(' ');
/** Other names for a basic term, if the name of the survey ends in one of them. */
const ALSO: Readonly<Record<string, string>> = {
  golden: 'yellow',
  violet: 'purple',
  lavender: 'purple',
  lilac: 'purple',
  mauve: 'purple',
  plum: 'purple',
  aubergine: 'purple',
  indigo: 'purple',
  navy: 'blue',
  maroon: 'red',
  burgundy: 'red',
  crimson: 'red',
  tan: 'brown',
  lime: 'green',
  chartreuse: 'green',
  olive: 'green',
};
/** Names between basic terms: each may count as any of the listed terms. */
const BETWEEN: Readonly<Record<string, string>> = {
  cream: 'white yellow',
  ivory: 'white yellow',
  buff: 'yellow brown',
  beige: 'brown yellow',
  khaki: 'brown yellow green',
  taupe: 'brown grey',
  peach: 'orange pink',
  apricot: 'orange',
  turquoise: 'blue green',
  aquamarine: 'blue green',
  cyan: 'blue green',
  teal: 'blue green',
  gunmetal: 'grey blue',
  cocoa: 'brown',
  heather: 'purple',
  magenta: 'pink purple',
  salmon: 'pink orange',
  ochre: 'yellow brown orange',
  gold: 'yellow brown',
  mustard: 'yellow',
  rose: 'pink',
  'blue-black': 'black blue',
  'green-black': 'black green',
  'brown-black': 'black brown',
  'off-white': 'white',
  'purple-brown': 'brown purple',
  'yellow-brown': 'brown yellow',
  'yellow-green': 'green',
  'blue-green': 'green blue',
};

/** The basic terms that a colour name of this project may count as. */
export function basicTerms(name: string): string[] {
  const last = name.split(' ').at(-1)!;
  return (BETWEEN[last] ?? (BASIC.includes(last) ? last : (ALSO[last] ?? name))).split(' ');
}

const NEIGHBOURS = 3;
const surveyed = survey.colors.flatMap(({ name, rgb }) => {
  const last = name.split(/[ /]/).at(-1)!;
  const term = BASIC.includes(last) ? last : ALSO[last];
  return term ? [{ term, place: oklabOf(rgb[0], rgb[1], rgb[2]) }] : [];
});

/** The basic term of the survey names nearest to an 8-bit sRGB colour, 0xRRGGBB, weighted by distance. */
export function surveyTerm(color: number): string {
  const place: Oklab = oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  const near = surveyed
    .map((named) => ({ term: named.term, distance: oklabDistance(named.place, place) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, NEIGHBOURS);
  const votes = new Map<string, number>();
  for (const { term, distance } of near) votes.set(term, (votes.get(term) ?? 0) + 1 / (distance + 0.005));
  return [...votes].sort(([, one], [, other]) => other - one)[0]![0];
}

/**
 * Share of a grid of 4,096 colours whose basic term matches the survey, 0 to 1, and the number of greens
 * named grey.
 */
export function surveyAgreement(nameOf: (color: number) => string): {
  agreed: number;
  greensCalledGrey: number;
} {
  const steps = Array.from({ length: 16 }, (_, step) => 17 * step);
  const grid = steps.flatMap((red) =>
    steps.flatMap((green) => steps.map((blue) => (red << 16) | (green << 8) | blue)),
  );
  const judged = grid.map((color) => ({ said: basicTerms(nameOf(color)), term: surveyTerm(color) }));
  const greens = judged.filter(({ term }) => term === 'green');
  return {
    agreed: judged.filter(({ said, term }) => said.includes(term)).length / grid.length,
    greensCalledGrey: greens.filter(({ said }) => said.includes('grey')).length / greens.length,
  };
}
