import { type InkMask, inkDepth } from './ink_depth.ts';
import { joinCrossings } from './join_crossings.ts';
import type { Shares } from './measure_middle.ts';
import { type CentreLine, placeMiddle } from './place_middle.ts';
import { endsAt, pruneSkeleton } from './prune_skeleton.ts';
import { type Knot, skeletonGraph } from './skeleton_graph.ts';
import { thinInk } from './thin_ink.ts';

/**
 * The strokes that ink was drawn with: its middle lines, gone straight through crossings, as far as a round pen of their width
 * went. `shares` says how much of each pixel is ink.
 */
export function centreLines(mask: InkMask, shares: Shares): CentreLine[] {
  const depths = inkDepth(mask);
  const graph = skeletonGraph(mask, thinInk(mask, depths), depths);
  const joined = joinCrossings(pruneSkeleton(graph), mask.across);
  const lines = joined.chains.map((chain) =>
    placeMiddle(joined, chain, { across: mask.across, shares, depths }),
  );
  const ends = endsAt(graph.knots, graph.branches);
  const spots = graph.knots.filter((_, place) => ends[place]!.length === 0);
  return [...lines.filter(({ points }) => points.length >= 4), ...spots.map(lineOfSpot)];
}

/** A spot has a middle and next to no length: the pen touches down. */
function lineOfSpot({ x, y, radius }: Knot): CentreLine {
  return {
    points: Float64Array.of(x - SPOT_PX / 2, y, x + SPOT_PX / 2, y),
    widths: Float64Array.of(2 * radius, 2 * radius),
  };
}

const SPOT_PX = 0.2;
