import type { Dot } from './dot.ts';

/** Dots of one colour, which are one path. */
export interface DotGroup {
  readonly color: readonly number[];
  readonly dots: readonly Dot[];
}

/**
 * Divides dots among few colours: a group falls in two at the mean of the channel that varies most, where that takes
 * more than `pathWorth` off the squared differences from its colour.
 */
export function groupDots(dots: readonly Dot[], pathWorth: number): DotGroup[] {
  if (dots.length === 0) return [];
  const done: DotGroup[] = [];
  const waiting = [dots];
  while (waiting.length > 0) {
    const group = waiting.pop()!;
    const color = meanOf(group);
    const spreads = [0, 1, 2].map((channel) => spreadOf(group, channel, color[channel]!));
    const widest = spreads.indexOf(Math.max(...spreads));
    const [lower, upper] = [
      group.filter((dot) => dot.color[widest]! < color[widest]!),
      group.filter((dot) => dot.color[widest]! >= color[widest]!),
    ];
    if (takenOff(lower, upper) > pathWorth) waiting.push(upper, lower);
    else done.push({ color, dots: group });
  }
  return done;
}

const meanOf = (dots: readonly Dot[]): number[] =>
  [0, 1, 2].map((channel) => dots.reduce((sum, { color }) => sum + color[channel]!, 0) / dots.length);

const spreadOf = (dots: readonly Dot[], channel: number, mean: number): number =>
  dots.reduce((sum, { color }) => sum + (color[channel]! - mean) ** 2, 0);

/** What two colours instead of one take off the squared differences: what lies between their means, by how many have each. */
function takenOff(lower: readonly Dot[], upper: readonly Dot[]): number {
  if (lower.length === 0 || upper.length === 0) return 0;
  const [one, two] = [meanOf(lower), meanOf(upper)];
  const apart = one.reduce((sum, value, channel) => sum + (value - two[channel]!) ** 2, 0);
  return ((lower.length * upper.length) / (lower.length + upper.length)) * apart;
}
