import { expect, test } from 'vitest';
import { redSegmenter } from '../../../../tests/fixtures/red_segmenter.ts';
import { disc, madePicture, meanDifference } from '../../../../tests/support/made_pictures.ts';
import { openSession } from '../onnx/open_session.ts';
import { maskFromOutput, modelInput, segmentByNetwork } from './segment_by_network.ts';
import { SEGMENTERS } from './segmenters.ts';

const flat = (level: number) => ({
  width: 4,
  height: 3,
  channels: 3 as const,
  data: new Uint8Array(36).fill(level),
});

test.each([
  ['u2netp', [(1 - 0.485) / 0.229, (1 - 0.456) / 0.224, (1 - 0.406) / 0.225]],
  ['isnet_general', [0.5, 0.5, 0.5]],
  ['birefnet_general_lite', [(1 - 0.485) / 0.229, (1 - 0.456) / 0.224, (1 - 0.406) / 0.225]],
] as const)('%s receives planes scaled by the maximum value and normalised', (name, expected) => {
  const { sidePx } = SEGMENTERS[name];
  const input = modelInput(flat(77), SEGMENTERS[name]);
  expect(input).toHaveLength(3 * sidePx ** 2);
  for (const side of [0, 1, 2]) expect(input[side * sidePx ** 2 + 5]).toBeCloseTo(expected[side]!, 5);
});

test('model output is stretched to 0 to 1, after a sigmoid for logits', () => {
  const tiny = { ...SEGMENTERS.u2netp, sidePx: 2 };
  expect(
    [...maskFromOutput(Float32Array.of(0.2, 0.3, 0.5, 0.6), tiny).data].map((value) =>
      Math.round(value * 100),
    ),
  ).toEqual([0, 25, 75, 100]);
  const logits = maskFromOutput(Float32Array.of(-9, 0, 0, 9), { ...tiny, output: 'logits' });
  expect([...logits.data].map((value) => Math.round(value * 100))).toEqual([0, 50, 50, 100]);
  expect([...maskFromOutput(Float32Array.of(3, 3, 3, 3), tiny).data]).toEqual([0, 0, 0, 0]);
});

test('a model finds a disc on a table', async () => {
  const picture = madePicture({
    width: 240,
    height: 200,
    opacity: disc(120, 100, 50),
    object: (x, y) => [200 - 0.3 * y, 60 + 0.2 * x, 40],
    background: (x, y) => [120 + 20 * Math.sin(y / 9), 130 + 0.2 * y, 140 + 0.1 * x],
  });
  const session = await openSession(redSegmenter());
  const { mask } = await segmentByNetwork(session, SEGMENTERS.u2netp)(picture);
  const truth = madePicture({
    width: 320,
    height: 320,
    opacity: (x, y) => disc(120, 100, 50)(x * 0.75, y * 0.625),
    object: () => [0, 0, 0],
    background: () => [0, 0, 0],
  }).truth;
  expect(meanDifference(mask.data, truth)).toBeLessThan(0.03);
  await session.close();
});
