/** Borders between areas: `lengths` pixel sides of area `ones` with area `twos`; a border of length 0 is gone. */
export interface Borders {
  readonly count: number;
  readonly ones: Int32Array;
  readonly twos: Int32Array;
  readonly lengths: Int32Array;
  /** For each area, its borders by neighbour. */
  readonly around: Map<number, number>[];
}

/** The borders between the areas of a picture; pixels of label -1 have none. */
export function findBorders(labels: Int32Array, width: number, count: number): Borders {
  const ones: number[] = [];
  const twos: number[] = [];
  const lengths: number[] = [];
  const around = Array.from({ length: count }, () => new Map<number, number>());
  const see = (one: number, two: number) => {
    if (one === two || one < 0 || two < 0) return;
    const known = around[one]!.get(two);
    if (known !== undefined) {
      lengths[known]!++;
      return;
    }
    around[one]!.set(two, ones.length);
    around[two]!.set(one, ones.length);
    ones.push(one);
    twos.push(two);
    lengths.push(1);
  };
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (pixel % width < width - 1) see(labels[pixel]!, labels[pixel + 1]!);
    if (pixel + width < labels.length) see(labels[pixel]!, labels[pixel + width]!);
  }
  return {
    count: ones.length,
    ones: Int32Array.from(ones),
    twos: Int32Array.from(twos),
    lengths: Int32Array.from(lengths),
    around,
  };
}

/** Joins the two areas of a border: `kept` takes over the borders of `gone`, and `changed` lists those. */
export function joinBorders(
  { ones, twos, lengths, around }: Borders,
  border: number,
): { kept: number; gone: number; changed: number[] } {
  const [one, two] = [ones[border]!, twos[border]!];
  const [kept, gone] = around[one]!.size >= around[two]!.size ? [one, two] : [two, one];
  const [keptAround, goneAround] = [around[kept]!, around[gone]!];
  const changed: number[] = [];
  lengths[border] = 0;
  keptAround.delete(gone);
  goneAround.delete(kept);
  // Not a loop over entries, which would make an array of each: this is where most of the merging's time goes.
  goneAround.forEach((moved, other) => {
    around[other]!.delete(gone);
    const known = keptAround.get(other);
    if (known === undefined) {
      ones[moved] = kept;
      twos[moved] = other;
      keptAround.set(other, moved);
      around[other]!.set(kept, moved);
      changed.push(moved);
    } else {
      lengths[known]! += lengths[moved]!;
      lengths[moved] = 0;
      changed.push(known);
    }
  });
  goneAround.clear();
  return { kept, gone, changed };
}
