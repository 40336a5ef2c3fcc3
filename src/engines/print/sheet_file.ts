/** Writes a sheet from the top, so that only the finished file is ever held whole. */
export interface SheetFile {
  /** Whole rows of ink, four bytes a pixel. They may be overwritten once the promise is kept. */
  rows(inks: Uint8Array): Promise<void>;
  /** Written so far. */
  readonly bytes: number;
  /** The file in pieces, once all rows are written. */
  finish(): Promise<Uint8Array[]>;
}

/** What a file says about the inks it holds. */
export interface PrintCondition {
  /** What the profile calls itself. */
  readonly name: string;
  readonly profile: Uint8Array;
  /** Its name in the ICC's registry of characterisations, such as FOGRA39. Absent: the condition is not registered. */
  readonly registered?: string;
}

/** Each byte less the one of the same ink to its left; TIFF 6.0, section 14, which PDF calls predictor 2. */
export function differences(inks: Uint8Array, width: number): Uint8Array {
  const rowBytes = 4 * width;
  const result = new Uint8Array(inks.length);
  for (let row = 0; row < inks.length; row += rowBytes) {
    result.set(inks.subarray(row, row + 4), row);
    for (let at = row + 4; at < row + rowBytes; at += 1) result[at] = inks[at]! - inks[at - 4]!;
  }
  return result;
}
