/**
 * Quantisation index modulation: a value is moved towards the nearest multiple of a step (bit 0) or the nearest half
 * between two (bit 1), shifted by a keyed offset. B. Chen, G. Wornell, IEEE Trans. Inf. Theory 47 (2001).
 * @param offset in steps
 * @returns the whole way from `value` to the point that says `bit`
 */
export function wayToBit(value: number, bit: number, offset: number, step: number): number {
  const place = value / step - offset - bit / 2;
  return (Math.round(place) - place) * step;
}

const PLACES = 256;
const SPREADS = Array.from({ length: 22 }, (_, index) => 0.05 * 1.11 ** index);

/** For each spread of the noise, in steps: what a place within a step says about the bit, and how likely it is at all. */
const TABLES = SPREADS.map((spread) => {
  const density = Float64Array.from({ length: PLACES }, (_, at) => {
    let sum = 1e-9;
    for (let turn = -2; turn <= 2; turn++) {
      const distance = (at + 0.5) / PLACES + turn;
      sum += Math.exp(-(distance * distance) / (2 * spread * spread));
    }
    return sum / spread;
  });
  const opposite = (at: number) => density[(at + PLACES / 2) % PLACES]!;
  return {
    likelihood: Float32Array.from(density, (value, at) => Math.log(value / opposite(at))),
    evidence: Float32Array.from(density, (value, at) => Math.log(value + opposite(at))),
  };
});

/** Where values lie within a step, as indices of a table of PLACES. */
export function placesWithinStep(
  values: Float32Array,
  offsets: Float32Array,
  step: number,
  places: Uint8Array,
): void {
  const count = offsets.length;
  const scale = PLACES / step;
  for (let at = 0; at < values.length; at++)
    places[at] = Math.floor(values[at]! * scale - offsets[at % count]! * PLACES) & (PLACES - 1);
}

/**
 * ln(P(0)/P(1)) of the places of a group of values that are disturbed alike. How much they are is found from the places
 * alone: the spread under which they are likeliest.
 */
export function likelihoodsOf(places: Uint8Array, members: readonly number[], into: Float32Array): number {
  let best = TABLES[TABLES.length - 1]!;
  let bestSum = Number.NEGATIVE_INFINITY;
  for (const table of TABLES) {
    let sum = 0;
    for (const member of members) sum += table.evidence[places[member]!]!;
    if (sum > bestSum) [best, bestSum] = [table, sum];
  }
  for (const member of members) into[member] = best.likelihood[places[member]!]!;
  return SPREADS[TABLES.indexOf(best)]!;
}

const WAVES = [1, 2].map((harmonic) =>
  Float32Array.from({ length: PLACES }, (_, at) => Math.cos((2 * Math.PI * harmonic * (at + 0.5)) / PLACES)),
);

/** Mean cosine of some places, `harmonic` times around a step: 1 is 2 where the bits are not known. */
export function meanCosine(places: Uint8Array, members: readonly number[], harmonic: 1 | 2): number {
  const wave = WAVES[harmonic - 1]!;
  let sum = 0;
  for (const member of members) sum += wave[places[member]!]!;
  return sum / Math.max(1, members.length);
}
