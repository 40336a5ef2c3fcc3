import { expect, test } from 'vitest';
import { createDisk, refuseFullDisk } from './disk.ts';

const failing = (code: string) => async () => {
  throw Object.assign(new Error('write failed'), { code });
};

test.each(['ENOSPC', 'EDQUOT'])('%s is reported as a full disk that may have space later', async (code) => {
  await expect(refuseFullDisk(failing(code))).rejects.toMatchObject({ code: 'storage_full', status: 503 });
});

test('any other failure is passed through unchanged', async () => {
  await expect(refuseFullDisk(failing('EIO'))).rejects.toMatchObject({ code: 'EIO' });
});

const GIB = 1024 ** 3;
const given = (sizeBytes: number, freeBytes: number, freeBytesMin?: number) =>
  createDisk({
    folder: '/',
    freeBytesMin,
    look: async () => ({ bsize: 1, blocks: sizeBytes, bavail: freeBytes }),
  });

test.each<[string, number, number, number | undefined, boolean]>([
  ['1 GiB of a large disk', 1000 * GIB, GIB, undefined, true],
  ['under 1 GiB of a large disk', 1000 * GIB, GIB - 1, undefined, false],
  ['5 percent of a small disk', 2 * GIB, GIB / 10, undefined, true],
  ['under 5 percent of a small disk', 2 * GIB, GIB / 11, undefined, false],
  ['less than the configured minimum', 1000 * GIB, 5 * GIB, 6 * GIB, false],
  ['0 bytes of a file system without a size', 0, 0, undefined, true],
])('space for writes is detected with %s free', async (_what, size, free, min, hasRoom) => {
  expect(await given(size, free, min).hasRoom()).toBe(hasRoom);
});

test('a write that leaves too little space is refused with a retry time', async () => {
  const disk = given(1000 * GIB, 3 * GIB);
  await disk.requireRoom(2 * GIB);
  await expect(disk.requireRoom(2 * GIB + 1)).rejects.toMatchObject({
    code: 'storage_full',
    status: 503,
    details: { retryAfterSeconds: 300 },
  });
});

test('a file system that does not report its free space accepts all writes', async () => {
  const disk = createDisk({ folder: '/', look: () => Promise.reject(new Error('ENOSYS')) });
  expect(await disk.hasRoom()).toBe(true);
});
