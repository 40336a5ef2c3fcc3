import { type Shares, wayOut } from './measure_middle.ts';

/** A place along the middle of a stroke, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  /** How far the ink reaches, 0 in a crossing. */
  readonly radius: number;
  /** How wide the stroke is, NaN where its edges do not tell. */
  readonly width: number;
}

interface Settling {
  readonly isClosed: boolean;
  /** Whether the stroke begins and ends in nothing, rather than at another. */
  readonly startsFreely: boolean;
  readonly endsFreely: boolean;
  readonly shares: Shares;
}

/** A place is trusted that is at most so much wider than the stroke; this many tell where the stroke runs. */
const WIDER_MAX = 1.1;
const WIDER_PX = 0.4;
const DIRECTION_PLACES = 6;
const BESIDE = 2;
/** A stroke turns a corner where it changes its direction by more than this within a stretch that is not trusted. */
const CORNER_COSINE = Math.cos((20 * Math.PI) / 180);

/**
 * The places of a stroke without what other strokes and its own corners and ends do to its middle: straight through crossings,
 * to the point in corners, as far as a round pen of its width went at free ends. A closed one ends where it starts.
 */
export function settlePlaces(places: readonly Place[], settling: Settling): Place[] {
  const width = medianWidth(places);
  const trusted = width === undefined ? [] : trustedPlaces(places, width);
  const first = trusted.indexOf(true);
  if (width === undefined || first < 0) return close(smoothen(places, trusted), settling.isClosed);
  // A closed stroke is gone round from a trusted place, so that no stretch runs over its start.
  const turned = settling.isClosed ? turn(places, trusted, first) : { places: [...places], trusted };
  const smooth = smoothen(turned.places, turned.trusted);
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

/** A place is trusted where its width is told and no more than the stroke's, and so are those beside it. */
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

/** Rounds of smoothing: of places that are trusted, among themselves, and of others. */
const TRUSTED_ROUNDS = 2;
const OTHER_ROUNDS = 5;

/** Each place between its neighbours, weighed one, two, one. */
function smoothen(places: readonly Place[], trusted: readonly boolean[]): Place[] {
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

/** The places from the first trusted one to the last, with what lies between trusted stretches drawn anew where it is short. */
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

/** Where the last of some places is and where it goes on to. */
function directionBefore(places: readonly Place[]): Ray {
  const from = places.at(-1)!;
  const back = places[Math.max(0, places.length - DIRECTION_PLACES)]!;
  const length = Math.hypot(from.x - back.x, from.y - back.y) || 1;
  return { from, dx: (from.x - back.x) / length, dy: (from.y - back.y) / length };
}

/** Places about a pixel apart from one ray's start to another's: over their crossing where that is a corner nearby, else straight. */
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

/** A stroke ends straight beside the knot it was found to end at, unless that is farther off than this. */
const ASIDE_MAX = 0.75;

/** What comes before the first trusted place of a stroke: straight on to the stroke it ends at, or until a round pen of its width would touch the end of the ink. */
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
  const lack = isFree ? (wayOut(shares, from.x, from.y, dx, dy, 3 * width) ?? 0) - width / 2 : along;
  if (lack < 0.3) return [];
  const end = { x: from.x + lack * dx, y: from.y + lack * dy, radius: 0, width: NaN };
  return [end, ...straight(end, from)];
}
