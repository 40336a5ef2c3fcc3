import { expect, test } from 'vitest';
import { clouds } from '../../../../tests/support/clouds.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { createTrial } from './attacks.ts';
import { canonicalFrame } from './canonical_frame.ts';
import { codeMark, sealMessage } from './coded_mark.ts';
import { keyedRandom } from './keyed_random.ts';
import { planMark, seeFrame, wholeCells } from './mark_frame.ts';
import { encodePayload } from './payload_code.ts';
import { markQuietly } from './quietest_mark.ts';
import { visibleChanges } from './visibility_threshold.ts';
import { detailsOf } from './wavelet.ts';
import { markPixels } from './write_mark.ts';

const id = '0123456789ab';
const payload = 'Ada, 17';
const { messageClass, bits } = sealMessage(encodePayload(payload))!;
const mark = codeMark({ id, messageClass }, bits);
const wish = { mark, payload, id, strength: 0.5 };
const RANK = { lost: 0, id: 1, payload: 2 };

/** A vertical gradient with camera noise, like an evening sky. */
function sky(side: number): DeepRaster {
  const next = keyedRandom(4);
  const data = Uint8Array.from(
    { length: side * side },
    (_, at) => 120 + (60 * Math.floor(at / side)) / side + (next() % 3),
  );
  return { width: side, height: side, channels: 1, data };
}

test('a textured image gets a weaker mark that is as robust as the full one', async () => {
  const picture = clouds(720, 540);
  const { marked, masking, trial } = await markQuietly(picture, wish);
  const full = markPixels(picture, mark, 0.5);
  const before = createTrial(full.raster, { payload, id }, () => {});

  expect(masking).not.toBe('none');
  expect(marked.psnrDb).toBeGreaterThan(full.psnrDb + 0.5);
  for (const name of ['jpeg_50', 'webp_50', 'blur_1'] as const)
    expect(RANK[await trial.survivalAfter(name)], name).toBeGreaterThanOrEqual(
      RANK[await before.survivalAfter(name)],
    );
});

test('in a sky, no coefficient changes beyond its visibility threshold', () => {
  const frame = wholeCells(canonicalFrame(sky(512)));
  const budget = { meanSquare: 3, similarityLoss: 1, windowShare: 1 };
  const quiet = planMark(seeFrame(frame), mark, budget, { cap: 1, scale: 1 });
  const seen = visibleChanges(frame, detailsOf(frame), 1);
  const moved = detailsOf(quiet.change).alongY.map(Math.abs);
  const loud = detailsOf(planMark(seeFrame(frame), mark, budget).change).alongY.map(Math.abs);

  // The pilot, at 0.25 grey levels RMS, adds up to 2 to a coefficient.
  expect(moved.every((move, cell) => move < seen.alongY[cell]! + 2)).toBe(true);
  expect(loud.filter((move, cell) => move > seen.alongY[cell]! + 2).length).toBeGreaterThan(loud.length / 10);
});

test('a mark above the default strength is written at the requested strength', async () => {
  const picture = clouds(520, 512);
  const { marked, masking } = await markQuietly(picture, { ...wish, strength: 0.8 });
  expect(masking).toBe('none');
  expect(marked.psnrDb).toBe(markPixels(picture, mark, 0.8).psnrDb);
});
