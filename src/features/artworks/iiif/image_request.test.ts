import { expect, test } from 'vitest';
import { IIIF_AREA_MAX, IIIF_SIDE_PX_MAX } from '../limits.ts';
import { type ImageVersion, readImageRequest } from './image_request.ts';
import { imageInfo } from './presentation.ts';

/** The image of the examples in the specification (Image API 3.0, 4.1 to 4.6). */
const FULL = { width: 300, height: 200 };

function read(address: string, version: ImageVersion = 3, full = FULL) {
  const [region = '', size = '', rotation = '', file = ''] = address.split('/');
  return readImageRequest({ version, region, size, rotation, file }, full);
}

test.each([
  ['full', [0, 0, 300, 200], 'full'],
  ['square', [50, 0, 200, 200], '50,0,200,200'],
  ['125,15,120,140', [125, 15, 120, 140], '125,15,120,140'],
  ['pct:41.6,7.5,40,70', [125, 15, 120, 140], '125,15,120,140'],
  ['125,15,200,200', [125, 15, 175, 185], '125,15,175,185'],
  ['pct:41.6,7.5,66.6,100', [125, 15, 175, 185], '125,15,175,185'],
  ['0,0,300,200', [0, 0, 300, 200], 'full'],
  ['pct:.5,0,99.5,100', [2, 0, 298, 200], '2,0,298,200'],
])('region %s resolves to %j, canonical form %s', (region, [left, top, width, height] = [], canonical) => {
  const read3 = read(`${region}/max/0/default.jpg`);
  expect(read3.region).toEqual({ left, top, width, height });
  expect(read3.canonical.split('/')[0]).toBe(canonical);
});

test.each([
  [3, 'max', [300, 200], 'max'],
  [3, '^max', [5017, 3344], '^max'],
  [3, '150,', [150, 100], '150,100'],
  [3, ',100', [150, 100], '150,100'],
  [3, '^360,', [360, 240], '^360,240'],
  [3, '^,240', [360, 240], '^360,240'],
  [3, 'pct:50', [150, 100], '150,100'],
  [3, '^pct:120', [360, 240], '^360,240'],
  [3, '225,100', [225, 100], '225,100'],
  [3, '^360,360', [360, 360], '^360,360'],
  [3, '!225,100', [150, 100], '150,100'],
  [3, '!900,900', [300, 200], 'max'],
  [3, '^!360,360', [360, 240], '^360,240'],
  [3, '^300,200', [300, 200], 'max'],
  [2, 'full', [300, 200], 'full'],
  [2, 'max', [300, 200], 'full'],
  [2, '150,', [150, 100], '150,'],
  [2, ',100', [150, 100], '150,'],
  [2, 'pct:50', [150, 100], '150,'],
  [2, '150,100', [150, 100], '150,'],
  [2, '225,100', [225, 100], '225,100'],
  [2, '!225,100', [150, 100], '150,'],
  [2, '600,', [600, 400], '600,'],
] as const)(
  'in version %d size %s resolves to %j, canonical form %s',
  (version, size, [width, height], canonical) => {
    const { size: made, canonical: address } = read(`full/${size}/0/default.jpg`, version);
    expect([made, address.split('/')[1]]).toEqual([{ width, height }, canonical]);
  },
);

test.each([
  ['0', false, 0, '0'],
  ['360', false, 0, '0'],
  ['22.50', false, 22.5, '22.5'],
  ['!180', true, 180, '!180'],
])('rotation %s is parsed and made canonical', (rotation, isMirrored, degrees, canonical) => {
  const made = read(`full/max/${rotation}/gray.png`);
  expect(made).toMatchObject({ isMirrored, degrees, quality: 'gray', format: 'png' });
  expect(made.canonical).toBe(`full/max/${canonical}/gray.png`);
});

test.each([
  ['regions outside', 'region', ['300,0,10,10', '0,200,1,1', 'pct:100,0,1,1', '999999999,0,1,1']],
  ['regions without pixels', 'region', ['0,0,0,10', '0,0,10,0', 'pct:0,0,0,50', 'pct:0,0,0.1,0.1']],
  [
    'regions that are none',
    'region',
    [
      '',
      'all',
      '1,2,3',
      '1,2,3,4,5',
      '-1,0,5,5',
      '1.5,0,5,5',
      'pct:a,0,5,5',
      '0,0,1e9,1',
      '0,0,9999999999,1',
    ],
  ],
  ['sizes of zero', 'size', ['0,', ',0', '0,0', '10,0', '!0,10', 'pct:0', 'pct:0.1', '^0,']],
  [
    'sizes that are none',
    'size',
    ['', ',', 'full', '10', 'x,', '!10,', '-5,', 'pct:-5', 'pct:', '^^max', '+5,', '1e2,', '10,10,'],
  ],
  ['sizes above the region without ^', 'size', ['301,', ',201', 'pct:100.5', '301,10', '10,201']],
  [
    'sizes above what is made',
    'size',
    [`^${IIIF_SIDE_PX_MAX + 1},1`, `^${IIIF_SIDE_PX_MAX},`, '^999999999,'],
  ],
  ['rotations that are none', 'rotation', ['', '!', '361', '-90', '90deg', '1e1', '360.1', 'NaN', '0,0']],
  ['qualities that are none', 'quality', ['native.jpg', 'grey.jpg', '.jpg', 'jpg', 'default']],
  [
    'formats that are not made',
    'format',
    ['default.', 'default.gif', 'default.tif', 'default.JPG', 'gray.jp2'],
  ],
])('%s are rejected with the name of the parameter', (_, field, bad) => {
  const place = ['region', 'size', 'rotation', 'file'].indexOf(
    ['quality', 'format'].includes(field) ? 'file' : field,
  );
  for (const text of bad) {
    const address = ['full', 'max', '0', 'default.jpg'].with(place, text).join('/');
    if (text === 'default') continue;
    expect(() => read(address), address).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
      }),
    );
  }
});

test('canonicalisation is idempotent', () => {
  for (const version of [2, 3] as const)
    for (const size of ['max', '37,', ',41', 'pct:33.3', '47,46', '!77,77'])
      for (const region of ['full', 'square', 'pct:10,10,33,47']) {
        const { canonical, ...made } = read(`${region}/${size}/!12.5/color.webp`, version);
        const again = read(canonical, version);
        expect([again.canonical, again]).toEqual([canonical, { ...made, canonical }]);
      }
});

test('every tile and size in info.json can be requested, up to the largest image', () => {
  for (const full of [
    FULL,
    { width: 12_000, height: 5333 },
    { width: 1, height: 9000 },
    { width: 513, height: 512 },
  ]) {
    const info = imageInfo(3, { ...full, id: 'i', rights: 'r', manifest: 'm' }) as {
      sizes: { width: number; height: number }[];
      tiles: { width: number; scaleFactors: number[] }[];
    };
    for (const { width, height } of info.sizes)
      expect(read(`full/${width},${height}/0/default.jpg`, 3, full).size).toEqual({ width, height });
    const { width: side, scaleFactors } = info.tiles[0]!;
    for (const factor of scaleFactors) {
      const reach = side * factor;
      for (const [x, y] of [
        [0, 0],
        [Math.floor((full.width - 1) / reach) * reach, Math.floor((full.height - 1) / reach) * reach],
      ] as const) {
        const [w, h] = [Math.min(reach, full.width - x), Math.min(reach, full.height - y)];
        const size = `${Math.ceil(w / factor)},${Math.ceil(h / factor)}`;
        expect(read(`${x},${y},${w},${h}/${size}/0/default.jpg`, 3, full).size.width).toBeLessThanOrEqual(
          side,
        );
      }
    }
    expect(scaleFactors.at(-1)! * side).toBeGreaterThanOrEqual(Math.max(full.width, full.height));
  }
});

test('the maximum size stays within the pixel limit', () => {
  for (const full of [
    { width: 20_000, height: 19_999 },
    { width: 30_000, height: 11 },
  ]) {
    const { width, height } = read('full/max/0/default.jpg', 3, full).size;
    expect(width * height).toBeLessThanOrEqual(IIIF_AREA_MAX);
    expect(width).toBeLessThanOrEqual(IIIF_SIDE_PX_MAX);
  }
});
