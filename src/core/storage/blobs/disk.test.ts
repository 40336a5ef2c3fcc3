import { expect, test } from 'vitest';
import { refuseFullDisk } from './disk.ts';

const failing = (code: string) => async () => {
  throw Object.assign(new Error('write failed'), { code });
};

test.each(['ENOSPC', 'EDQUOT'])('%s is reported as a full disk that may have space later', async (code) => {
  await expect(refuseFullDisk(failing(code))).rejects.toMatchObject({ code: 'storage_full', status: 503 });
});

test('any other failure is passed through unchanged', async () => {
  await expect(refuseFullDisk(failing('EIO'))).rejects.toMatchObject({ code: 'EIO' });
});
