import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { inputPixels, multiplicationsPerPixel, tileRulesOf } from '@atelier/imaging/upscale/model_cost.ts';
import { z } from 'zod';

/** Maximum size of a weights file, above every file of the manifest. */
export const MODEL_FILE_BYTES_MAX = 512 * 1024 * 1024;
/** A download that receives fewer than MODEL_DOWNLOAD_STALL_BYTES within this time is aborted. */
export const MODEL_DOWNLOAD_STALL_MS = 60_000;
export const MODEL_DOWNLOAD_STALL_BYTES = 16 * 1024;
/** Age after which a speed is measured again before a call is refused because of it: the machine may have been busy. */
export const SPEED_FRESH_MS = 10 * 60_000;

/** Properties of a model on which its speed depends. */
export interface TimedNetwork {
  readonly name: string;
  readonly architecture: Architecture;
  readonly provider: Provider;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Timing {
  readonly seconds: number;
  /** `guessed`: computed from the operations of the model, which has not run on this machine yet. */
  readonly basis: 'measured' | 'guessed';
  /** Whether it is based on a run within SPEED_FRESH_MS. */
  readonly isFresh: boolean;
}

/** Speeds of models on this machine. */
export interface Speeds {
  /** Estimate for an image without transparency, with the model loaded. */
  estimate(network: TimedNetwork, picture: Size): Timing;
  /** The largest image of the same aspect ratio within a time; undefined where none is. */
  largestWithin(network: TimedNetwork, picture: Size, seconds: number): Size | undefined;
  /** Records a run. */
  record(network: TimedNetwork, run: Run): void;
  /** Records an aborted run, which needs more than `seconds` for this image. */
  recordStopped(network: TimedNetwork, picture: Size, seconds: number): void;
}

export interface Run {
  /** Input pixels, with overlapping tiles counted repeatedly. */
  readonly pixelsSeen: number;
  readonly seconds: number;
}

/** Multiplications per second and core: about half the measured speed, see docs/decisions/0005-admission-by-cpu-seconds.md. */
const GUESSED_MULTIPLICATIONS = 30e9;
/** Cores up to which one image scales about linearly. */
const GUESSED_CORES_MAX = 8;
/** Weight of a new run in the moving average. */
const NEW_SHARE = 0.5;
/** Smaller runs are dominated by start-up time. */
const TELLING_PIXELS = 4096;
const SMALLEST_SIDE_PX = 16;

const kept = z.record(
  z.string(),
  z.object({ seconds_per_megapixel: z.number().min(0).max(1e9), measured_at: z.iso.datetime() }),
);

/** Stores speeds in a file, so that they survive a restart. */
export function createSpeeds(file: string, clock: () => Date = () => new Date()): Speeds {
  const known = read(file);
  const keyOf = ({ name, provider }: TimedNetwork) => `${name} ${provider}`;
  const estimate = (network: TimedNetwork, picture: Size): Timing => {
    const megapixels = inputPixels(picture, tileRulesOf(network.architecture)) / 1e6;
    const speed = known[keyOf(network)];
    if (!speed) return { seconds: megapixels * guessSeconds(network), basis: 'guessed', isFresh: false };
    const ageMs = clock().getTime() - Date.parse(speed.measured_at);
    const seconds = megapixels * speed.seconds_per_megapixel;
    return { seconds, basis: 'measured', isFresh: ageMs < SPEED_FRESH_MS };
  };
  const keep = (network: TimedNetwork, secondsPerMegapixel: number) => {
    const measuredAt = clock().toISOString();
    known[keyOf(network)] = { seconds_per_megapixel: secondsPerMegapixel, measured_at: measuredAt };
    write(file, known);
  };
  return {
    estimate,
    largestWithin(network, picture, seconds) {
      const scalePicture = (share: number): Size => ({
        width: Math.max(1, Math.floor(picture.width * share)),
        height: Math.max(1, Math.floor(picture.height * share)),
      });
      let [fits, toolarge] = [0, 1];
      for (let round = 0; round < 12; round += 1) {
        const middle = (fits + toolarge) / 2;
        if (estimate(network, scalePicture(middle)).seconds <= seconds) fits = middle;
        else toolarge = middle;
      }
      const size = scalePicture(fits);
      return Math.max(size.width, size.height) < SMALLEST_SIDE_PX ? undefined : size;
    },
    record(network, { pixelsSeen: pixels, seconds }) {
      if (pixels < TELLING_PIXELS) return;
      const now = (seconds / pixels) * 1e6;
      const before = known[keyOf(network)]?.seconds_per_megapixel ?? now;
      keep(network, before + NEW_SHARE * (now - before));
    },
    recordStopped(network, picture, seconds) {
      const pixels = inputPixels(picture, tileRulesOf(network.architecture));
      if (pixels < TELLING_PIXELS || estimate(network, picture).seconds >= seconds) return;
      keep(network, (seconds / pixels) * 1e6);
    },
  };
}

/** Estimated seconds per million pixels. */
function guessSeconds({ architecture }: TimedNetwork): number {
  const cores = Math.min(GUESSED_CORES_MAX, availableParallelism());
  return (multiplicationsPerPixel(architecture) * 1e6) / (GUESSED_MULTIPLICATIONS * cores);
}

function read(file: string): z.output<typeof kept> {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

/** Writes the file. If that fails, speeds are measured again after a restart. */
function write(file: string, speeds: z.output<typeof kept>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(speeds, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full or read-only disk must not fail the call.
  }
}
