import { expect, test } from 'vitest';
import { type HandmadeEntry, writeZipByHand } from '../../../../tests/support/write_zip_by_hand.ts';
import { readZip } from './read_zip.ts';

const HELLO = Buffer.from('hello');
const zip = (...entries: HandmadeEntry[]) => writeZipByHand(entries);

test.each([false, true])('files are unpacked with their bytes, deflated: %s', async (isDeflated) => {
  const { files } = await readZip(zip({ name: 'photos/a b.png', data: HELLO, isDeflated }));
  expect(files.map(({ name }) => name)).toEqual(['a b.png']);
  expect(Buffer.from(await files[0]!.read())).toEqual(HELLO);
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['/abs/olute.png', 'olute.png'],
  ['C:\\x\\y.png', 'y.png'],
  ['a\u202egnp.exe', 'agnp.exe'],
])('the entry name %j is reduced to a base name: %j', async (name, clean) => {
  expect((await readZip(zip({ name, data: HELLO }))).files.map((file) => file.name)).toEqual([clean]);
});

test('a name without the UTF-8 flag is decoded as code page 437', async () => {
  const { files } = await readZip(zip({ name: Buffer.from([0x81, 0x2e, 0x70]), data: HELLO, flags: 0 }));
  expect(files[0]!.name).toBe('ü.p');
});

test('links, encrypted, empty and unsupported entries are skipped with a reason; system files silently', async () => {
  const { files, skipped } = await readZip(
    zip(
      { name: 'link', data: HELLO, mode: 0o120777 },
      { name: 'secret', data: HELLO, isDeflated: true, flags: 1 },
      { name: 'empty', data: Buffer.alloc(0) },
      { name: 'lzma', data: HELLO, method: 14 },
      { name: '__MACOSX/._a', data: HELLO },
      { name: '.DS_Store', data: HELLO },
      { name: 'folder/', data: Buffer.alloc(0) },
      { name: 'good', data: HELLO },
    ),
  );
  expect(files.map(({ name }) => name)).toEqual(['good']);
  expect(skipped.map(({ name }) => name)).toEqual(['link', 'secret', 'empty', 'lzma']);
});

test('an entry that inflates beyond its declared size is rejected', async () => {
  const lie = { name: 'a', data: Buffer.alloc(5_000_000), isDeflated: true, saidSize: 10 };
  const { files } = await readZip(zip(lie));
  await expect(files[0]!.read()).rejects.toMatchObject({ code: 'unreadable_zip' });
});

test('a wrong checksum is detected', async () => {
  const { files } = await readZip(zip({ name: 'a', data: HELLO, saidCrc: 1 }));
  await expect(files[0]!.read()).rejects.toThrow('checksum');
});

test.each([
  ['more files than are unpacked', Array.from({ length: 101 }, (_, n) => ({ name: `${n}`, data: HELLO }))],
  ['more entries than are read', Array.from({ length: 1001 }, (_, n) => ({ name: `${n}/`, data: HELLO }))],
  ['a bomb', [{ name: 'a', data: Buffer.alloc(20_000_000), isDeflated: true }]],
  [
    'files that say to be too much together',
    Array.from({ length: 10 }, (_, n) => ({
      name: `${n}`,
      data: HELLO,
      isDeflated: true,
      saidSize: 24_000_000,
    })),
  ],
])('%s is rejected before anything is unpacked', async (_what, entries) => {
  await expect(readZip(writeZipByHand(entries))).rejects.toMatchObject({ code: 'zip_too_large' });
});

const whole = zip({ name: 'a', data: HELLO });

test.each([
  ['no ZIP', Buffer.from('not a zip')],
  ['an empty ZIP', zip()],
  ['a ZIP that broke off', whole.subarray(0, whole.length - 30)],
  ['a ZIP whose beginning is lost', whole.subarray(20)],
])('%s is reported as unreadable', async (_what, bytes) => {
  const reading = async () => {
    for (const file of (await readZip(bytes)).files) await file.read();
  };
  await expect(reading()).rejects.toMatchObject({ code: 'unreadable_zip' });
});
