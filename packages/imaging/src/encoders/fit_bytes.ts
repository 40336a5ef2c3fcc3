import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { FITTING_ENCODES_MAX, FITTING_QUALITY_MIN, FITTING_SIDE_PX_MIN } from './limits.ts';

export interface Attempt {
  readonly quality: number;
  readonly isLossless: boolean;
  /** Scale factor of the sides. */
  readonly scale: number;
}

/** A finished file. */
interface Written extends Size {
  readonly bytes: Uint8Array;
}

export interface Fitting {
  readonly bytesMax: number;
  /** The first attempt. */
  readonly first: Attempt;
  /** Whether lower quality makes the file smaller. */
  readonly hasQuality: boolean;
  /** Attempt before quality or dimensions are reduced, such as a palette. */
  readonly second?: Attempt | undefined;
}

export interface Fitted<File> {
  readonly file: File;
  readonly attempt: Attempt;
}

/** Fraction of the limit at which the search stops. */
const NEAR = 0.94;
/**
 * Largest factors by which successive attempts shrink the sides, because parts of a file do not shrink; the search also aims below its
 * estimate.
 */
const STEPS = [0.95, 0.85, 0.7] as const;
const LAST_STEP = 0.5;
const MARGIN = 0.97;

/**
 * Finds the best file within a byte limit: the highest quality that fits, or else the minimum quality with smaller dimensions. At most
 * eight attempts; the next one is estimated from file size being about exponential in quality and linear in pixels.
 * @throws EngineError unsuitable_image if the smallest attempt is still too large
 */
export async function fitBytes<File extends Written>(
  encode: (attempt: Attempt) => Promise<File>,
  { bytesMax, first, second, hasQuality }: Fitting,
): Promise<Fitted<File>> {
  let encodes = 0;
  const write = async (attempt: Attempt): Promise<Fitted<File>> => {
    encodes += 1;
    return { file: await encode(attempt), attempt };
  };
  const fits = ({ file }: Fitted<File>) => file.bytes.length <= bytesMax;
  let last = await write(first);
  if (!fits(last) && second) last = await write(second);
  if (!fits(last) && hasQuality && first.quality > FITTING_QUALITY_MIN) {
    const best = last;
    last = await write({ ...last.attempt, quality: FITTING_QUALITY_MIN });
    if (fits(last)) return searchQuality(last, best);
  }
  for (let shrinks = 0; !fits(last) && encodes < FITTING_ENCODES_MAX; shrinks += 1) {
    const { file, attempt } = last;
    const step = Math.min(STEPS[shrinks] ?? LAST_STEP, Math.sqrt(bytesMax / file.bytes.length) * MARGIN);
    const least = FITTING_SIDE_PX_MIN / Math.max(file.width, file.height);
    if (least >= 1) break;
    last = await write({ ...attempt, scale: attempt.scale * Math.max(step, least) });
  }
  if (fits(last)) return last;
  const { width, height, bytes } = last.file;
  throw new EngineError(
    'unsuitable_image',
    `The image cannot be saved within ${bytesMax} bytes: at ${width} × ${height} pixels it still has ${bytes.length} bytes. Send a larger max_bytes, another format, or keep: "none" to drop its metadata.`,
  );

  async function searchQuality(low: Fitted<File>, high: Fitted<File>): Promise<Fitted<File>> {
    let [fitting, tooLarge] = [low, high];
    while (encodes < FITTING_ENCODES_MAX) {
      const [from, to] = [fitting.attempt.quality, tooLarge.attempt.quality];
      if (to - from <= 1 || fitting.file.bytes.length > NEAR * bytesMax) break;
      const [least, most] = [fitting, tooLarge].map(({ file }) => Math.log(file.bytes.length)) as [
        number,
        number,
      ];
      const share = most > least ? (Math.log(bytesMax) - least) / (most - least) : 0.5;
      const quality = Math.round(from + (to - from) * Math.min(0.9, Math.max(0.1, share)));
      const next = await write({
        ...fitting.attempt,
        quality: Math.min(to - 1, Math.max(from + 1, quality)),
      });
      if (fits(next)) fitting = next;
      else tooLarge = next;
    }
    return fitting;
  }
}
