import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { multiplicationsPerPixel, pixelsSeen, rulesOf } from '@atelier/imaging/upscale/effort.ts';
import { z } from 'zod';

/** Larger than any file of the manifest. */
export const MODEL_FILE_BYTES_MAX = 512 * 1024 * 1024;
/** A download that brings fewer bytes than these for so long is given up. */
export const MODEL_DOWNLOAD_STALL_MS = 60_000;
export const MODEL_DOWNLOAD_STALL_BYTES = 16 * 1024;
/** A measured speed this old is taken again before a call is refused for it: the machine may have been busy then. */
export const SPEED_FRESH_MS = 10 * 60_000;

/** A network as far as its speed depends on it. */
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
  /** `guessed`: from the arithmetic of the network alone, as it has not run here yet. */
  readonly basis: 'measured' | 'guessed';
  /** Whether it rests on a run of the last minutes. */
  readonly isFresh: boolean;
}

/** How fast networks are on this machine. */
export interface Speeds {
  /** For a picture without transparency, once the network is open. */
  estimate(network: TimedNetwork, picture: Size): Timing;
  /** The largest picture of the same proportions that takes no longer; undefined where not even a small one is. */
  largestWithin(network: TimedNetwork, picture: Size, seconds: number): Size | undefined;
  /** Remembers a run. */
  record(network: TimedNetwork, run: Run): void;
  /** Remembers a run that was stopped: for this picture the network takes more than so many seconds. */
  recordStopped(network: TimedNetwork, picture: Size, seconds: number): void;
}

export interface Run {
  /** Seen by the network, what tiles share counted as often as it was seen. */
  readonly pixelsSeen: number;
  readonly seconds: number;
}

/** In a second, of one core: about half of what was measured, see docs/decisions/0005-admission-by-cpu-seconds.md. */
const GUESSED_MULTIPLICATIONS = 30e9;
/** More cores than this do not make one picture faster in proportion. */
const GUESSED_CORES_MAX = 8;
/** How much a new run counts against those before. */
const NEW_SHARE = 0.5;
/** Shorter runs tell more about starting than about speed. */
const TELLING_PIXELS = 4096;
const SMALLEST_SIDE_PX = 16;

const kept = z.record(
  z.string(),
  z.object({ seconds_per_megapixel: z.number().min(0).max(1e9), measured_at: z.iso.datetime() }),
);

/** Speeds in a file, so that they outlive a restart. Losing it costs a measurement. */
export function createSpeeds(file: string, clock: () => Date = () => new Date()): Speeds {
  const known = read(file);
  const keyOf = ({ name, provider }: TimedNetwork) => `${name} ${provider}`;
  const estimate = (network: TimedNetwork, picture: Size): Timing => {
    const megapixels = pixelsSeen(picture, rulesOf(network.architecture)) / 1e6;
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
      const pixels = pixelsSeen(picture, rulesOf(network.architecture));
      if (pixels < TELLING_PIXELS || estimate(network, picture).seconds >= seconds) return;
      keep(network, (seconds / pixels) * 1e6);
    },
  };
}

/** Seconds for a million pixels. */
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

/** What cannot be written is measured again after a restart. */
function write(file: string, speeds: z.output<typeof kept>): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, `${JSON.stringify(speeds, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full or read-only disk stops no picture.
  }
}
