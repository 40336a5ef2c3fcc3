import type { Chain, Link } from './chain_branches.ts';
import type { Points } from './fit_curve.ts';
import type { JoinedStrokes } from './join_crossings.ts';
import { type Shares, wayOut } from './measure_middle.ts';
import { type Place, settlePlaces } from './settle_places.ts';

/** One stroke of ink: the middle of it about every pixel, and how wide it is there. A closed one ends where it starts. */
export interface CentreLine {
  readonly points: Points;
  /** In pixels, one a point; NaN where strokes cross and where the edges of the ink do not tell. */
  readonly widths: Float64Array;
}

interface Ink {
  readonly across: number;
  readonly shares: Shares;
  /** Squares, as of `inkDepth`. */
  readonly depths: Float64Array;
}

/** The stroke of a chain of branches, more finely than pixels: midway between the two edges of its ink. */
export function placeMiddle(strokes: JoinedStrokes, chain: Chain, ink: Ink): CentreLine {
  const places = fillGaps(
    chain.links.flatMap((link) => placesOf(strokes, link, ink)),
    chain.isClosed,
  );
  const middles = places.map((_, index) => moveToMiddle(places, index, ink));
  const [first, last] = [chain.links[0]!, chain.links.at(-1)!];
  const settled = settlePlaces(middles, {
    isClosed: chain.isClosed,
    startsFreely: endsFreely(strokes, first, false),
    endsFreely: endsFreely(strokes, last, true),
    shares: ink.shares,
  });
  return {
    points: Float64Array.from(settled.flatMap(({ x, y }) => [x, y])),
    widths: Float64Array.from(settled, ({ width }) => width),
  };
}

function knotAt({ branches }: JoinedStrokes, { branch, backwards }: Link, atEnd: boolean): number {
  const { from, to } = branches[branch]!;
  return atEnd === backwards ? from : to;
}

const endsFreely = (strokes: JoinedStrokes, link: Link, atEnd: boolean): boolean =>
  strokes.degrees[knotAt(strokes, link, atEnd)] === 1;

/** The pixels of a branch without those in the ink of a crossing, and the crossing or end itself where the branch stops there. */
function placesOf(strokes: JoinedStrokes, link: Link, { across, depths }: Ink): Place[] {
  const { pixels } = strokes.branches[link.branch]!;
  const ends = [knotAt(strokes, link, false), knotAt(strokes, link, true)];
  const crossings = ends
    .filter((knot) => knot >= 0 && strokes.degrees[knot]! > 2)
    .map((knot) => strokes.knots[knot]!);
  const places = (link.backwards ? pixels.toReversed() : pixels)
    .map((pixel) => ({
      x: (pixel % across) - 0.5,
      y: Math.floor(pixel / across) - 0.5,
      radius: Math.sqrt(depths[pixel]!) - 0.5,
      width: NaN,
    }))
    .filter(({ x, y }) => crossings.every((knot) => Math.hypot(knot.x - x, knot.y - y) > knot.radius));
  const stop = (knot: number): Place[] =>
    knot < 0 ? [] : [{ x: strokes.knots[knot]!.x, y: strokes.knots[knot]!.y, radius: 0, width: NaN }];
  const goesOn = (atEnd: boolean): boolean =>
    strokes.partners[2 * link.branch + (atEnd === link.backwards ? 0 : 1)]! >= 0;
  return [...(goesOn(false) ? [] : stop(ends[0]!)), ...places, ...(goesOn(true) ? [] : stop(ends[1]!))];
}

/** Places about a pixel apart. */
function fillGaps(places: readonly Place[], isClosed: boolean): Place[] {
  const filled: Place[] = [];
  const follow = isClosed ? [...places, ...places.slice(0, 1)] : places;
  for (const [index, place] of follow.entries()) {
    const before = follow[index - 1];
    const steps = before ? Math.round(Math.hypot(place.x - before.x, place.y - before.y) / GAP_STEP) : 1;
    for (let step = 1; before && step < steps; step++) {
      const share = step / steps;
      filled.push({
        x: before.x + share * (place.x - before.x),
        y: before.y + share * (place.y - before.y),
        radius: 0,
        width: NaN,
      });
    }
    if (index < places.length) filled.push({ ...place });
  }
  return filled;
}

const GAP_STEP = 1.2;
/** How many places before and after tell where a stroke runs, and how far its pixels lie from its middle at most. */
const TANGENT_REACH = 3;
const OFF_MIDDLE_MAX = 1;

function moveToMiddle(places: readonly Place[], index: number, { shares }: Ink): Place {
  const place = places[index]!;
  if (place.radius === 0) return place;
  const before = places[Math.max(0, index - TANGENT_REACH)]!;
  const after = places[Math.min(places.length - 1, index + TANGENT_REACH)]!;
  const length = Math.hypot(after.x - before.x, after.y - before.y);
  if (length === 0) return place;
  const [nx, ny] = [(before.y - after.y) / length, (after.x - before.x) / length];
  const one = wayOut(shares, place.x, place.y, nx, ny, place.radius);
  const other = wayOut(shares, place.x, place.y, -nx, -ny, place.radius);
  if (one === undefined || other === undefined) return place;
  const off = Math.min(OFF_MIDDLE_MAX, Math.max(-OFF_MIDDLE_MAX, (one - other) / 2));
  return { x: place.x + off * nx, y: place.y + off * ny, radius: place.radius, width: one + other };
}
