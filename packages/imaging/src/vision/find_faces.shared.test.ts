import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { openSession } from '../onnx/open_session.ts';
import type { Session } from '../onnx/session.ts';
import { findFaces } from './find_faces.ts';

/** The published model on images whose faces were counted by hand. */

const SHARED = new URL('../../../../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SHARED));
let session: Session;
beforeAll(async () => {
  session = await openSession(read('models/face_detection_yunet_2026may.onnx'));
});
afterAll(() => session?.close());

test.each([
  ['images/artworks/met-436660-hans-holbein-the-younger-portrait-of-a-man-in-a-red-cap.jpg', 1],
  ['images/artworks/met-437408-rembrandt-man-in-a-beret.jpg', 1],
  ['images/artworks/met-436620-frans-hals-paulus-verschuur-16061667.jpg', 1],
  ['images/artworks/met-436243-albrecht-durer-salvator-mundi.jpg', 1],
  ['images/artworks/met-435641-giovanni-bellini-madonna-and-child.jpg', 2],
  ['images/artworks/met-437262-robert-peake-the-elder-henry-frederick-15941612-prince.jpg', 2],
  ['images/artworks/met-437054-hans-memling-virgin-and-child-with-saints-cat.jpg', 7],
  ['images/special/children-alpha.png', 5],
  ['images/photo/pexels_woman.png', 1],
  ['images/sr/set5/x4/HR/baby.png', 1],
])('%s has %i', needs('../shared'), async (path, count) => {
  expect(await findFaces(read(path), session)).toHaveLength(count);
});

test.each([
  'artworks/met-11854-john-rasmussen-berks-county-almshouse-1880.jpg',
  'artworks/met-436175-eugene-delacroix-basket-of-flowers.jpg',
  'artworks/met-437307-camille-pissarro-poplars-eragny.jpg',
  'artworks/met-437980-vincent-van-gogh-cypresses.jpg',
  'artworks/met-45329-ogata-korin-chinese-bellflowers.jpg',
  'artworks/met-53408-ito-jakuchu-white-plum-blossoms-and-moon.jpg',
  'photo/kodak_03.png',
  'photo/kodak_23.png',
  'photo/pexels_food.png',
  'matting/GT18_image.png',
  'sr/set14/x4/HR/flowers.png',
  'sr/set14/x4/HR/monarch.png',
  'sr/set14/x4/HR/baboon.png',
  'sr/set14/x4/HR/ppt3.png',
])('%s has none', needs('../shared'), async (path) => {
  expect(await findFaces(read(`images/${path}`), session)).toEqual([]);
});

test('a face box is at the expected position', needs('../shared'), async () => {
  const bytes = read(
    'images/artworks/met-436660-hans-holbein-the-younger-portrait-of-a-man-in-a-red-cap.jpg',
  );
  const [face] = await findFaces(bytes, session);
  // Output of another program with the same model: 256, 132, 131 × 164 of 599 × 611 pixels.
  expect(face!.x).toBeCloseTo(0.43, 2);
  expect(face!.y).toBeCloseTo(0.22, 2);
});
