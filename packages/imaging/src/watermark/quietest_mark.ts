import type { DeepRaster } from '../pixels/raster.ts';
import { type AttackName, createTrial, MOVING_ATTACKS, type Survival, type Trial } from './attacks.ts';
import { canonicalFrame } from './canonical_frame.ts';
import type { CodedMark } from './coded_mark.ts';
import { seeFrame, wholeCells } from './mark_frame.ts';
import { FULL_LEVEL, type MarkedPixels, type MarkLevel, markPixels } from './write_mark.ts';

/** How far a watermark is kept below the visibility thresholds, weakest first. */
const LEVELS = {
  strong: { share: 0.7, cap: 1 },
  medium: { share: 0.85, cap: 1.5 },
  none: FULL_LEVEL,
} as const satisfies Record<string, MarkLevel>;

export type Masking = keyof typeof LEVELS;

/** Attacks that a weaker watermark must survive like the full one, those most likely to fail first. */
const DECIDING: readonly AttackName[] = [
  'webp_50',
  'jpeg_50',
  'crop_25_jpeg_75',
  'webp_80',
  'rotate_2',
  'crop_10',
  'jpeg_75',
  'blur_1',
  'resize_50',
  'brightness_20',
];

/** A higher strength is requested for edits that no attack covers: such a watermark is written in full. */
const MASKED_STRENGTH_MAX = 0.5;

const RANK: Record<Survival, number> = { lost: 0, id: 1, payload: 2 };

export interface QuietMark {
  readonly marked: MarkedPixels;
  readonly masking: Masking;
  readonly trial: Trial;
}

interface MarkWish {
  readonly mark: CodedMark;
  readonly payload: string;
  readonly id: string;
  /** 0.1 to 1: the maximum strength. */
  readonly strength: number;
  readonly masking?: 'none';
}

/**
 * Writes the weakest watermark that survives every deciding attack that the full one survives. The full one is written only after a weaker one has
 * failed, and attacked only with the attack that failed.
 * @param onTried called before each attack
 */
export async function markQuietly(
  raster: DeepRaster,
  { mark, payload, id, strength, masking: wanted }: MarkWish,
  onTried: (name: AttackName) => void = () => {},
): Promise<QuietMark> {
  const seen = seeFrame(wholeCells(canonicalFrame(raster)));
  const write = (masking: Masking): QuietMark => {
    const marked = markPixels(raster, mark, strength, LEVELS[masking], seen);
    return { marked, masking, trial: createTrial(marked.raster, { payload, id }, onTried) };
  };
  let written: QuietMark | undefined;
  const full = () => (written ??= write('none'));
  if (wanted === 'none' || strength > MASKED_STRENGTH_MAX) return full();
  for (const masking of ['strong', 'medium'] as const) {
    const quiet = write(masking);
    const loss = quiet.trial.isReadable() ? await firstLoss(quiet.trial, () => full().trial) : 'all';
    if (!loss) return quiet;
    // A failed search takes longest, and slightly more strength rarely fixes it.
    if (loss !== 'all' && MOVING_ATTACKS.has(loss)) break;
  }
  return full();
}

/** The first deciding attack after which less is readable than from the full watermark. */
async function firstLoss(quiet: Trial, full: () => Trial): Promise<AttackName | undefined> {
  for (const name of DECIDING) {
    const survival = await quiet.survivalAfter(name);
    if (survival !== 'payload' && RANK[survival] < RANK[await full().survivalAfter(name)]) return name;
  }
  return undefined;
}
