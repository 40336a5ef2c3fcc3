import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { disc, madePicture, meanDifference } from '../../../../tests/support/made_pictures.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { openSession } from '../onnx/open_session.ts';
import { segmentByNetwork } from './segment_by_network.ts';
import { SEGMENTERS } from './segmenters.ts';

const U2NETP = new URL('../../../../../shared/models/u2netp.onnx', import.meta.url);

test('u2netp finds a disc on a table', needs('../shared'), async () => {
  const picture = madePicture({
    width: 240,
    height: 200,
    opacity: disc(120, 100, 50),
    object: (x, y) => [200 - 0.3 * y, 60 + 0.2 * x, 40],
    background: (x, y) => [120 + 20 * Math.sin(y / 9), 130 + 0.2 * y, 140 + 0.1 * x],
  });
  const session = await openSession(readFileSync(U2NETP));
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
