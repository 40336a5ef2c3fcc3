/** Thrown where a file has used up the CPU time it may cost. */
export class WorkSpent extends Error {}

/**
 * CPU time one file may cost, counted in nominal nanoseconds: every step has a price measured beforehand (`COST`), so that the same
 * file gives the same report on any machine. Every loop whose length the file decides spends from it.
 */
export class WorkBudget {
  #left: number;

  constructor(ns: number) {
    this.#left = ns;
  }

  /** Adds what the next stage may spend; what an earlier stage left over stays. */
  allow(ns: number): void {
    this.#left = Math.max(0, this.#left) + ns;
  }

  /** @throws WorkSpent once nothing is left; every later call throws as well */
  spend(ns: number): void {
    this.#left -= ns;
    if (this.#left < 0) throw new WorkSpent('the file is too complex to check fully');
  }

  /** Spends where so much is left, and otherwise nothing: for work that can be left out by itself. */
  trySpend(ns: number): boolean {
    if (ns > this.#left) return false;
    this.#left -= ns;
    return true;
  }
}

/** For small inputs of our own: nothing is counted. */
export const unlimitedWork = (): WorkBudget => new WorkBudget(Number.POSITIVE_INFINITY);

/** Nominal nanoseconds, measured on one core of 2.5 GHz and rounded up. */
export const COST = {
  /** One value, bracket or word of syntax, and one byte of it. */
  token: 180,
  byteRead: 30,
  /** One search for a word, and one byte it passes over. */
  search: 300,
  byteSearched: 1,
  /** One member of an array or entry of a dictionary that is copied or looked up. */
  member: 60,
  /** One entry of a dictionary that is copied into another. */
  entry: 400,
  /** One row of a cross-reference table, one object found by searching. */
  row: 60,
  operator: 1_000,
  /** One Bézier curve, beside its operator. */
  curve: 2_000,
  /** One thing painted: about 40 rules judge it. */
  mark: 4_000,
  /** One letter of a text, for its width. */
  letter: 20,
  /** One stream unpacked, and every byte that goes in or comes out. */
  stream: 30_000,
  byteUnpacked: 4,
  /** One byte with a predictor undone, of digits or by LZW: done here and not by zlib. */
  byteUnpackedHere: 40,
  /** One font, image, colour space or graphics state read. */
  resource: 1_500,
  /** One dictionary judged by the rules about objects. */
  object: 5_000,
  /** One sample of a pixel turned into inks. */
  sample: 120,
  /** One packed byte of a JPEG, and one pixel of one of its scans. */
  jpegByte: 30,
  jpegPixel: 4,
  annotation: 1_000,
  /** One embedded font opened for its outlines. */
  font: 2_000_000,
  /** One glyph of a substitute font: looked up, outlined and written. */
  glyph: 60_000,
} as const;
