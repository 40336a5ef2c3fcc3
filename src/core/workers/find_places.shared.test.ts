import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shownSize } from '@atelier/imaging/codecs/shown_size.ts';
import { chooseCrop } from '@atelier/imaging/crop/choose_crop.ts';
import type { Box } from '@atelier/imaging/pixels/box.ts';
import { expect, test } from 'vitest';
import { needs } from '../../../tests/support/test_requirements.ts';
import { findPlaces, inPixels, type Place } from './find_places.ts';

/** The published models, on images whose faces were counted by eye. */

const SHARED = new URL('../../../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(`images/${path}`, SHARED));

function stored<Name extends string>(name: Name, file: string) {
  const path = fileURLToPath(new URL(`models/${file}`, SHARED));
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, path, bytes: bytes.length, sha256, provider: 'cpu' as const };
}

const find = (bytes: Uint8Array, place: Place) =>
  findPlaces({
    bytes,
    place,
    otherwise: 'next',
    finders: {
      faces: stored('yunet', 'face_detection_yunet_2026may.onnx'),
      writing: stored('text_detection', 'text_detection_ppocrv3.onnx'),
      subject: stored('u2netp', 'u2netp.onnx'),
    },
  });

const PORTRAITS = [
  'photo/pexels_woman.png',
  'artworks/met-436323-jean-honore-fragonard-a-woman-with-a-dog.jpg',
  'artworks/met-436660-hans-holbein-the-younger-portrait-of-a-man-in-a-red-cap.jpg',
  'artworks/met-436850-sir-thomas-lawrence-the-calmady-children-emily-1818.jpg',
  'artworks/met-437054-hans-memling-virgin-and-child-with-saints-cat.jpg',
  'artworks/met-437262-robert-peake-the-elder-henry-frederick-15941612-prince.jpg',
  'special/children-alpha.png',
];

test.each(PORTRAITS)(
  'no crop of %s cuts a face, around faces or around the subject',
  {
    ...needs('../shared'),
  },
  async (path) => {
    const bytes = read(path);
    const picture = await shownSize(bytes);
    const toPixels = (boxes: readonly Box[] = []) => boxes.map((box) => inPixels(box, picture));
    const faces = await find(bytes, 'faces');
    const subject = await find(bytes, 'subject');
    expect(faces.found).toBe('faces');
    for (const aspect of [9 / 16, 4 / 5, 1, 1.5, 16 / 9, 2]) {
      const around = chooseCrop({ picture, aspect, faces: toPixels(faces.boxes) });
      const along = chooseCrop({
        picture,
        aspect,
        faces: toPixels(subject.faces),
        places: toPixels(subject.boxes),
      });
      expect([around.cut.faces, along.cut.faces]).toEqual([0, 0]);
    }
  },
);

test('the car is found where its matte is', needs('../shared'), async () => {
  const { found, boxes } = await find(read('matting/davis_car_image.jpg'), 'subject');
  expect(found).toBe('subject');
  const { x, y, width, height } = boxes[0]!;
  for (const [value, truth] of [
    [x, 0.367],
    [y, 0.183],
    [x + width, 0.767],
    [y + height, 0.588],
  ] as const)
    expect(Math.abs(value - truth)).toBeLessThan(0.03);
});

test('the largest of several faces is selected', needs('../shared'), async () => {
  const { boxes, reason } = await find(read(PORTRAITS[4]!), 'face');
  expect(boxes).toHaveLength(1);
  expect(reason).toBe('The largest of 7 faces, found by yunet.');
});

test(
  'text is found on a slide, and missing text or faces are reported for parrots',
  needs('../shared'),
  async () => {
    expect((await find(read('sr/set14/x4/HR/ppt3.png'), 'text')).found).toBe('text');
    expect((await find(read('photo/kodak_23.png'), 'faces')).reason).toBe(
      'yunet found no face. Used instead: the subject, found by u2netp.',
    );
  },
);
