import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import { reverseCurve } from './curve.ts';
import type { Curve } from './fit_curve.ts';
import { chainSides, type Side } from './outlines.ts';
import type { Partition } from './partition.ts';
import type { Sketch } from './sketch.ts';
import type { Layer } from './stack_areas.ts';
import { borderError, closeOutlines, sunkCurve, traceBorders } from './trace_borders.ts';
import { type Fill, hex } from './write_svg.ts';

/** A drawing with one layer a colour, its outlines not made yet. */
export interface Sheets {
  /** Nodes it will have, but for outlines that shrink to a point. */
  readonly nodeCount: number;
  /** The colour that covers most comes first, at the bottom. */
  readonly layers: () => Layer[];
  /** Pixels that 95 of 100 points of its lines stay within, of the edges they follow. */
  readonly lineError: () => number | undefined;
}

/**
 * Plans one layer for each colour of a sketch of plain colours. Stacked, a layer covers what is seen of its colour and all
 * that is seen of those above it, so that no gap can be between two of them. Else it covers its own colour alone, as a
 * sheet of material that parts are cut out of.
 */
export function planSheets(
  { picture, areas, fills }: Pick<Sketch, 'picture' | 'areas' | 'fills'>,
  stacked: boolean,
): Sheets {
  const borders = traceBorders(picture, areas, fills);
  const { lines, curves } = borders;
  const { ranks, samples } = rankColors(areas, fills);
  const rankOf = (area: number): number => (area < 0 ? -1 : ranks[area]!);
  const sides: Side[][] = samples.map(() => []);
  let nodeCount = 0;
  const owned = lines.map(({ left, right }) => ownersOf(rankOf(left), rankOf(right), stacked));
  for (const [line, owners] of owned.entries()) nodeCount += owners.length * ((curves[line]!.length - 2) / 6);
  const layers = () => {
    for (const [line, owners] of owned.entries())
      for (const { rank, backwards } of owners) sides[rank]!.push({ line, backwards });
    const hidden = new Map<number, Curve>();
    const curveOf = (rank: number, { line, backwards }: Side): Curve => {
      const { left, right } = lines[line]!;
      // Where several layers end at one line only the uppermost does so in sight; the others would shine through its soft edge.
      if (!stacked || rank === Math.max(rankOf(left), rankOf(right))) return curves[line]!;
      const under = hidden.get(line) ?? sunkCurve(borders, line, backwards ? 1 : -1);
      hidden.set(line, under);
      return under;
    };
    return samples.map((area, rank) => ({
      area,
      outlines: closeOutlines(chainSides(sides[rank]!, lines), (side) =>
        side.backwards ? reverseCurve(curveOf(rank, side)) : curveOf(rank, side),
      ),
    }));
  };
  return { nodeCount, layers, lineError: () => borderError(borders) };
}

/** The layers that a line bounds, and whether it runs round each backwards: an area lies on the left of its outline. */
function ownersOf(left: number, right: number, stacked: boolean) {
  if (left === right) return [];
  if (!stacked)
    return [
      ...(left < 0 ? [] : [{ rank: left, backwards: false }]),
      ...(right < 0 ? [] : [{ rank: right, backwards: true }]),
    ];
  const lower = Math.min(left, right);
  return Array.from({ length: Math.max(left, right) - lower }, (_, above) => ({
    rank: lower + 1 + above,
    backwards: right > left,
  }));
}

/** Colours nearer than this (ΔE_OK) are one ink or one sheet of material. */
const ALIKE = 0.03;

/** The place of each area's colour in the order of how much a colour covers; and for each colour one area that has it. */
function rankColors({ labels, count }: Partition, fills: readonly Fill[]) {
  const names = fills.map((fill) => hex('color' in fill ? fill.color : fill.stops[0]!));
  const found = new Map<string, { area: number; size: number; lab: Oklab }>();
  for (const label of labels) {
    if (label < 0) continue;
    const known = found.get(names[label]!);
    if (known) known.size++;
    else found.set(names[label]!, { area: label, size: 1, lab: labOf(fills[label]!) });
  }
  const kept: { area: number; lab: Oklab }[] = [];
  const places = new Map<string, number>();
  for (const [name, color] of [...found].sort(([, one], [, other]) => other.size - one.size)) {
    const like = kept.findIndex(({ lab }) => oklabDistance(lab, color.lab) < ALIKE);
    places.set(name, like < 0 ? kept.push(color) - 1 : like);
  }
  return {
    ranks: Int32Array.from({ length: count }, (_, area) => places.get(names[area]!) ?? -1),
    samples: kept.map(({ area }) => area),
  };
}

type Oklab = ReturnType<typeof oklabOf>;

function labOf(fill: Fill): Oklab {
  const [red, green, blue] = 'color' in fill ? fill.color : fill.stops[0]!;
  return oklabOf(red!, green!, blue!);
}
