/** Thrown when a file exhausts its work budget. */
export class WorkBudgetExceeded extends Error {}

/**
 * CPU budget of one file in nominal nanoseconds. Every operation has a cost measured in advance (`COST`), so that a
 * file gets the same report on any machine. Every loop whose length depends on the file charges the budget.
 */
export class WorkBudget {
  #left: number;

  constructor(ns: number) {
    this.#left = ns;
  }

  /** Adds the budget of the next stage. Unspent budget carries over. */
  allow(ns: number): void {
    this.#left = Math.max(0, this.#left) + ns;
  }

  /** @throws WorkBudgetExceeded if the budget is exhausted; every later call throws as well */
  spend(ns: number): void {
    this.#left -= ns;
    if (this.#left < 0) throw new WorkBudgetExceeded('the file is too complex to check fully');
  }

  /** Charges the budget only if enough is left, for optional work. */
  trySpend(ns: number): boolean {
    if (ns > this.#left) return false;
    this.#left -= ns;
    return true;
  }
}

/** For small trusted inputs: no limit. */
export const unlimitedBudget = (): WorkBudget => new WorkBudget(Number.POSITIVE_INFINITY);

/** Nominal nanoseconds, measured on one core of 2.5 GHz and rounded up. */
export const COST = {
  /** One token, and one byte of it. */
  token: 180,
  byteRead: 30,
  /** One keyword search, and one byte searched. */
  search: 300,
  byteSearched: 1,
  /** One array member or dictionary entry, copied or looked up. */
  member: 60,
  /** One dictionary entry copied into another dictionary. */
  entry: 400,
  /** One cross-reference entry, or one object found by scanning. */
  row: 60,
  operator: 1_000,
  /** One Bézier curve, in addition to its operator. */
  curve: 2_000,
  /** One mark: about 40 rules check it. */
  mark: 4_000,
  /** One character code, for its width. */
  letter: 20,
  /** One stream decoded, and every byte of input and output. */
  stream: 30_000,
  byteUnpacked: 4,
  /** One byte decoded in JavaScript instead of zlib: predictors, ASCII filters, LZW. */
  byteUnpackedHere: 40,
  /** One font, image, colour space or graphics state read. */
  resource: 1_500,
  /** One dictionary checked by the object rules. */
  object: 5_000,
  /** One sample converted to inks. */
  sample: 120,
  /** One encoded byte of a JPEG, and one pixel of one scan. */
  jpegByte: 30,
  jpegPixel: 4,
  annotation: 1_000,
  /** One embedded font opened for outlines. */
  font: 2_000_000,
  /** One glyph of a substitute font: looked up, outlined and written. */
  glyph: 60_000,
} as const;
