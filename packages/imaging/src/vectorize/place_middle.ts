import type { Size } from '../pixels/plane.ts';
import type { Points } from './fit_curve.ts';
import type { Chain, JoinedStrokes, Link } from './join_crossings.ts';

/** Ink coverage of each pixel, 0 to 255. */
export interface Shares extends Size {
  readonly data: Uint8Array;
}

/** Search distance for the edge of ink beyond its depth, and step size. */
const BEYOND_PX = 2;
const STEP_PX = 0.5;
const HALF = 127.5;

/**
 * Distance from a position in ink to the edge of the ink in a unit direction, at 50 % coverage. Undefined if farther
 * than `most`.
 */
function distanceToEdge(
  shares: Shares,
  x: number,
  y: number,
  dx: number,
  dy: number,
  most: number,
): number | undefined {
  let before = shareAt(shares, x, y);
  for (let way = STEP_PX; way <= most + BEYOND_PX; way += STEP_PX) {
    const here = shareAt(shares, x + way * dx, y + way * dy);
    if (here < HALF) return before < HALF ? 0 : way - STEP_PX * ((HALF - here) / (before - here));
    before = here;
  }
  return undefined;
}

/** Bilinear interpolation between four pixel centres. There is no ink outside the image. */
function shareAt({ width, height, data }: Shares, x: number, y: number): number {
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [right, down] = [x - 0.5 - left, y - 0.5 - top];
  const of = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= width || row >= height ? 0 : data[row * width + column]!;
  return (
    (1 - down) * ((1 - right) * of(left, top) + right * of(left + 1, top)) +
    down * ((1 - right) * of(left, top + 1) + right * of(left + 1, top + 1))
  );
}

/** A point on the centre line of a stroke, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
  /** Distance to the edge of the ink; 0 in a crossing. */
  readonly radius: number;
  /** Width of the stroke; NaN if its edges do not determine it. */
  readonly width: number;
}

interface Settling {
  readonly isClosed: boolean;
  /** Whether the stroke starts and ends freely, not at another stroke. */
  readonly startsFreely: boolean;
  readonly endsFreely: boolean;
  readonly shares: Shares;
}

/** Maximum width of a trusted point, relative to the stroke; and the number of points that determine its direction. */
const WIDER_MAX = 1.1;
const WIDER_PX = 0.4;
const DIRECTION_PLACES = 6;
const BESIDE = 2;
/** A stroke has a corner if its direction changes by more than this within an untrusted section. */
const CORNER_COSINE = Math.cos((20 * Math.PI) / 180);

/**
 * Centre points of a stroke, corrected for other strokes, corners and ends: straight through crossings, sharp at
 * corners, and extended at free ends to where a round pen of its width ended. A closed stroke ends at its start.
 */
function smoothUntrusted(places: readonly Place[], settling: Settling): Place[] {
  const width = medianWidth(places);
  const trusted = width === undefined ? [] : trustedPlaces(places, width);
  const first = trusted.indexOf(true);
  if (width === undefined || first < 0) return close(smoothPoints(places, trusted), settling.isClosed);
  // A closed stroke is traversed from a trusted point, so that no untrusted section spans its start.
  const turned = settling.isClosed ? turn(places, trusted, first) : { places: [...places], trusted };
  const smooth = smoothPoints(turned.places, turned.trusted);
  const settled = bridge(smooth, turned.trusted, width);
  if (settling.isClosed) return close(settled.places, true);
  const head = endOf(settled.places, settled.first, settling.startsFreely, {
    width,
    shares: settling.shares,
  });
  const back = settled.places.toReversed();
  const tail = endOf(back, back.length - 1 - settled.last, settling.endsFreely, {
    width,
    shares: settling.shares,
  });
  return [...head, ...settled.places.slice(settled.first, settled.last + 1), ...tail.reverse()];
}

const close = (places: readonly Place[], isClosed: boolean): Place[] =>
  isClosed && places.length > 1 ? [...places, places[0]!] : [...places];

function medianWidth(places: readonly Place[]): number | undefined {
  const widths = places.map(({ width }) => width).filter((width) => !Number.isNaN(width));
  return widths.sort((one, other) => one - other)[widths.length >> 1];
}

/** A point is trusted if its width and those of its neighbours are known and not larger than the stroke width. */
function trustedPlaces(places: readonly Place[], median: number): boolean[] {
  const narrow = places.map(({ width }) => width <= WIDER_MAX * median + WIDER_PX);
  return narrow.map((_, index) =>
    narrow.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).every(Boolean),
  );
}

function turn(places: readonly Place[], trusted: readonly boolean[], first: number) {
  return {
    places: [...places.slice(first), ...places.slice(0, first), places[first]!],
    trusted: [...trusted.slice(first), ...trusted.slice(0, first), true],
  };
}

/** Smoothing iterations: of trusted points, using only each other, and of other points. */
const TRUSTED_ROUNDS = 2;
const OTHER_ROUNDS = 5;

/** Smooths each point with its neighbours, weights 1, 2, 1. */
function smoothPoints(places: readonly Place[], trusted: readonly boolean[]): Place[] {
  let smooth = [...places];
  for (let round = 0; round < OTHER_ROUNDS; round++)
    smooth = smooth.map((place, index) => {
      const [before, after] = [smooth[index - 1], smooth[index + 1]];
      if (!before || !after) return place;
      if (trusted[index] && (round >= TRUSTED_ROUNDS || !trusted[index - 1] || !trusted[index + 1]))
        return place;
      return {
        ...place,
        x: (before.x + 2 * place.x + after.x) / 4,
        y: (before.y + 2 * place.y + after.y) / 4,
      };
    });
  return smooth;
}

/** Points from the first to the last trusted one; short untrusted sections are redrawn. */
function bridge(places: readonly Place[], trusted: readonly boolean[], width: number) {
  const first = trusted.indexOf(true);
  const last = trusted.lastIndexOf(true);
  const result = places.slice(0, first);
  for (let index = first; index <= last; index++) {
    if (trusted[index]) {
      result.push(places[index]!);
      continue;
    }
    const next = trusted.indexOf(true, index);
    const stretch = places.slice(index, next);
    const isShort = stretch.length <= 3 * width + 4;
    const anew = isShort
      ? between(
          directionBefore(result),
          places[next]!,
          directionBefore(places.slice(next, next + DIRECTION_PLACES).reverse()),
          width,
        )
      : undefined;
    for (const place of anew ?? stretch) result.push(place);
    index = next - 1;
  }
  return { places: [...result, ...places.slice(last + 1)], first, last: result.length - 1 };
}

interface Ray {
  readonly from: Place;
  readonly dx: number;
  readonly dy: number;
}

/** Last of some points, and its direction. */
function directionBefore(places: readonly Place[]): Ray {
  const from = places.at(-1)!;
  const back = places[Math.max(0, places.length - DIRECTION_PLACES)]!;
  const length = Math.hypot(from.x - back.x, from.y - back.y) || 1;
  return { from, dx: (from.x - back.x) / length, dy: (from.y - back.y) / length };
}

/**
 * Points about one pixel apart between the starts of two rays: through their intersection if that is a nearby corner,
 * otherwise straight.
 */
function between(one: Ray, end: Place, other: Ray, width: number): Place[] {
  const cosine = -(one.dx * other.dx + one.dy * other.dy);
  const cross = one.dx * other.dy - one.dy * other.dx;
  if (cosine > CORNER_COSINE || Math.abs(cross) < 1e-3) return straight(one.from, end);
  const [ox, oy] = [other.from.x - one.from.x, other.from.y - one.from.y];
  const along = (ox * other.dy - oy * other.dx) / cross;
  const back = (ox * one.dy - oy * one.dx) / cross;
  const reach = 2 * width + 4;
  if (along < 0 || back < 0 || along > reach || back > reach) return straight(one.from, end);
  const corner = { x: one.from.x + along * one.dx, y: one.from.y + along * one.dy, radius: 0, width: NaN };
  return [...straight(one.from, corner), corner, ...straight(corner, end)];
}

/** Places between two others, about a pixel apart. */
function straight(from: Place, to: Place): Place[] {
  const steps = Math.round(Math.hypot(to.x - from.x, to.y - from.y));
  return Array.from({ length: Math.max(0, steps - 1) }, (_, index) => {
    const share = (index + 1) / steps;
    return {
      x: from.x + share * (to.x - from.x),
      y: from.y + share * (to.y - from.y),
      radius: 0,
      width: NaN,
    };
  });
}

/** Maximum distance for a stroke to be extended straight to its end node. */
const ASIDE_MAX = 0.75;

/**
 * Points before the first trusted one: straight to the stroke it ends at, or until a round pen of its width touches the
 * end of the ink.
 */
function endOf(
  places: readonly Place[],
  first: number,
  isFree: boolean,
  { width, shares }: { width: number; shares: Shares },
): Place[] {
  const head = places.slice(0, first);
  if (head.length > 3 * width + 4) return head;
  const { from, dx, dy } = directionBefore(places.slice(first, first + DIRECTION_PLACES).reverse());
  const stop = places[0]!;
  const along = (stop.x - from.x) * dx + (stop.y - from.y) * dy;
  const aside = Math.abs((stop.x - from.x) * dy - (stop.y - from.y) * dx);
  if (!isFree && (aside > ASIDE_MAX || along <= 0)) return [stop, ...straight(stop, from)];
  const lack = isFree ? (distanceToEdge(shares, from.x, from.y, dx, dy, 3 * width) ?? 0) - width / 2 : along;
  if (lack < 0.3) return [];
  const end = { x: from.x + lack * dx, y: from.y + lack * dy, radius: 0, width: NaN };
  return [end, ...straight(end, from)];
}

/** One stroke of ink: centre points about one pixel apart, and their widths. A closed stroke ends at its start. */
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
export function refineCentreLine(strokes: JoinedStrokes, chain: Chain, ink: Ink): CentreLine {
  const places = fillGaps(
    chain.links.flatMap((link) => placesOf(strokes, link, ink)),
    chain.isClosed,
  );
  const middles = places.map((_, index) => centrePoint(places, index, ink));
  const [first, last] = [chain.links[0]!, chain.links.at(-1)!];
  const settled = smoothUntrusted(middles, {
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

function nodeAt({ branches }: JoinedStrokes, { branch, backwards }: Link, atEnd: boolean): number {
  const { from, to } = branches[branch]!;
  return atEnd === backwards ? from : to;
}

const endsFreely = (strokes: JoinedStrokes, link: Link, atEnd: boolean): boolean =>
  strokes.degrees[nodeAt(strokes, link, atEnd)] === 1;

/** The pixels of a branch without those in the ink of a crossing, and the crossing or end itself where the branch stops there. */
function placesOf(strokes: JoinedStrokes, link: Link, { across, depths }: Ink): Place[] {
  const { pixels } = strokes.branches[link.branch]!;
  const ends = [nodeAt(strokes, link, false), nodeAt(strokes, link, true)];
  const crossings = ends
    .filter((node) => node >= 0 && strokes.degrees[node]! > 2)
    .map((node) => strokes.nodes[node]!);
  const places = (link.backwards ? pixels.toReversed() : pixels)
    .map((pixel) => ({
      x: (pixel % across) - 0.5,
      y: Math.floor(pixel / across) - 0.5,
      radius: Math.sqrt(depths[pixel]!) - 0.5,
      width: NaN,
    }))
    .filter(({ x, y }) => crossings.every((node) => Math.hypot(node.x - x, node.y - y) > node.radius));
  const stop = (node: number): Place[] =>
    node < 0 ? [] : [{ x: strokes.nodes[node]!.x, y: strokes.nodes[node]!.y, radius: 0, width: NaN }];
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
/**
 * Number of points before and after that determine the direction of a stroke, and maximum distance of its pixels from
 * the centre line.
 */
const TANGENT_REACH = 3;
const OFF_MIDDLE_MAX = 1;

function centrePoint(places: readonly Place[], index: number, { shares }: Ink): Place {
  const place = places[index]!;
  if (place.radius === 0) return place;
  const before = places[Math.max(0, index - TANGENT_REACH)]!;
  const after = places[Math.min(places.length - 1, index + TANGENT_REACH)]!;
  const length = Math.hypot(after.x - before.x, after.y - before.y);
  if (length === 0) return place;
  const [nx, ny] = [(before.y - after.y) / length, (after.x - before.x) / length];
  const one = distanceToEdge(shares, place.x, place.y, nx, ny, place.radius);
  const other = distanceToEdge(shares, place.x, place.y, -nx, -ny, place.radius);
  if (one === undefined || other === undefined) return place;
  const off = Math.min(OFF_MIDDLE_MAX, Math.max(-OFF_MIDDLE_MAX, (one - other) / 2));
  return { x: place.x + off * nx, y: place.y + off * ny, radius: place.radius, width: one + other };
}
