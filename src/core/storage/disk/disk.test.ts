import { expect, test } from 'vitest';
import { createDisk } from './disk.ts';

const GIB = 1024 ** 3;
const given = (sizeBytes: number, freeBytes: number, freeBytesMin?: number) =>
  createDisk({
    folder: '/',
    freeBytesMin,
    look: async () => ({ bsize: 1, blocks: sizeBytes, bavail: freeBytes }),
  });

test.each<[string, number, number, number | undefined, boolean]>([
  ['a gibibyte of a large disk', 1000 * GIB, GIB, undefined, true],
  ['less of it', 1000 * GIB, GIB - 1, undefined, false],
  ['a twentieth of a small one', 2 * GIB, GIB / 10, undefined, true],
  ['less than that', 2 * GIB, GIB / 11, undefined, false],
  ['what the operator wants', 1000 * GIB, 5 * GIB, 6 * GIB, false],
  ['anything, of a file system without a size', 0, 0, undefined, true],
])('with %s free it takes more or not', async (_what, size, free, min, hasRoom) => {
  expect(await given(size, free, min).hasRoom()).toBe(hasRoom);
});

test('what would leave too little is refused, with when to come again', async () => {
  const disk = given(1000 * GIB, 3 * GIB);
  await disk.requireRoom(2 * GIB);
  await expect(disk.requireRoom(2 * GIB + 1)).rejects.toMatchObject({
    code: 'storage_full',
    status: 503,
    details: { retryAfterSeconds: 300 },
  });
});

test('a file system that cannot tell takes everything', async () => {
  const disk = createDisk({ folder: '/', look: () => Promise.reject(new Error('ENOSYS')) });
  expect(await disk.hasRoom()).toBe(true);
});
