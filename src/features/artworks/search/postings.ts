/** The works of a segment that have a word, and how much it says about each. */
export interface Postings {
  /** Places of the works in the segment, ascending. */
  readonly places: Uint32Array;
  /** From 1 to 255. */
  readonly impacts: Uint8Array;
}

/** The same as it is stored. */
export interface StoredPostings {
  readonly works: number;
  /** Places, each as its distance from the one before (LEB128), then the impacts. */
  readonly postings: Uint8Array;
}

export const NO_POSTINGS: StoredPostings = { works: 0, postings: new Uint8Array(0) };

/** Writes a number as LEB128; returns where the next byte goes. */
export function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let left = value;
  let next = at;
  while (left >= 128) {
    bytes[next++] = (left & 127) | 128;
    left >>>= 7;
  }
  bytes[next++] = left;
  return next;
}

export function decodePostings({ works, postings }: StoredPostings): Postings {
  const places = new Uint32Array(works);
  let place = 0;
  let at = 0;
  for (let work = 0; work < works; work += 1) {
    let byte = postings[at++]!;
    let distance = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = postings[at++]!;
      distance |= (byte & 127) << shift;
    }
    place += distance;
    places[work] = place;
  }
  return { places, impacts: postings.subarray(at, at + works) };
}

/** Reads where a word comes in each of its works, one work after the other, in the order of its postings. */
export function positionsReader(positions: Uint8Array) {
  let at = 0;
  const read = () => {
    let byte = positions[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = positions[at++]!;
      value |= (byte & 127) << shift;
    }
    return value;
  };
  return {
    next(): number[] {
      const found: number[] = [];
      let position = 0;
      for (let left = read(); left > 0; left -= 1) {
        position += read();
        found.push(position);
      }
      return found;
    },
    skip(): void {
      // The last byte of a number is the one below 128.
      for (let left = read(); left > 0; left -= 1) while (positions[at++]! >= 128);
    },
  };
}
