import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeMuseums, makePicture, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { withdraw } from '../dataset.ts';
import { createPictures } from '../images/pictures.ts';
import { createMuseumClient } from '../on_demand/museum_client.ts';
import { type ArtworkRecord, parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { createMirrorFiles } from './mirror_files.ts';
import { type MirrorRequest, mirrorPictures } from './mirror_pictures.ts';

const host = 'images.test';
const work = (number: number, more: object = {}) =>
  parseRecord({
    id: `met_${number}`,
    museum: 'met',
    title: `Work ${number}`,
    source_url: 'https://museum.test/1',
    image: { kind: 'file', url: `https://${host}/${number}.jpg` },
    rights: {
      status: 'cc0',
      evidence: { field: 'isPublicDomain', value: 'true' },
      url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    },
    ...more,
  });
const WORKS = [work(1), work(2), work(3, { highlight: true })];

let museums: FakeMuseums;
let picture: Buffer;
beforeAll(async () => {
  museums = await startFakeMuseums();
  picture = await makePicture(300, 200);
});
const folders: string[] = [];
afterAll(() => {
  museums.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

forEachDatabase((_, open) => {
  async function given(...records: ArtworkRecord[]) {
    const database: ScriptableDatabase = await open();
    const folder = mkdtempSync(join(tmpdir(), 'atelier-mirror-'));
    folders.push(folder);
    const rows = async function* (report: { rows: number }) {
      for (const record of records) {
        report.rows += 1;
        yield record;
      }
    };
    const { edition } = await importWorks(database, rows, {
      museum: 'met',
      source: 'a test',
      now: () => new Date(),
      onProgress() {},
      signal: new AbortController().signal,
    });
    for (const number of [1, 2, 3]) museums.says(`${host}/${number}.jpg`, picture);
    museums.asked();
    const files = createMirrorFiles({ database, objects: createFileObjects(folder) });
    /** Like a newly started server, without knowledge of earlier failures. */
    const pictures = (mirror: Pick<typeof files, 'read'>) =>
      createPictures({
        cache: { get: async () => undefined, put: async () => {}, sweep: async () => 0 },
        museums: createMuseumClient({
          reach: {
            schemes: ['http:'],
            allows: (address: string) => address === '127.0.0.1',
            resolve: async () => [{ address: '127.0.0.1', family: 4 }],
          },
          mirror: museums.url,
          wait: async () => {},
        }),
        mirror,
        pixels: { run: () => Promise.reject(new Error('no pixels here')) },
        looks: { note() {} },
      });
    const run = (more: Partial<MirrorRequest> = {}, number = edition.number) =>
      mirrorPictures(
        {
          database,
          files,
          edition: number,
          bring: pictures({ read: async () => undefined }).picture,
          wait: async () => {},
        },
        {
          museums: ['met'],
          size: 'full',
          bytesMax: 1e9,
          signal: new AbortController().signal,
          onProgress() {},
          ...more,
        },
      );
    const asked = () => museums.asked().map(({ address }) => address.split('/').at(-1));
    const names = () => readdirSync(join(folder, 'met')).sort();
    return { database, folder, files, run, asked, names, pictures };
  }

  test('each image is fetched once, highlights first, and a second run sends no requests', async () => {
    const { run, asked, names } = await given(...WORKS);
    const report = await run();
    expect(report).toMatchObject({
      pictures: 3,
      bytes: 3 * picture.length,
      museums: { met: { works: 3, brought: 3, failed: 0 } },
    });
    expect(asked()).toEqual(['3.jpg', '1.jpg', '2.jpg']);
    expect(names()).toEqual(['met_1.full.jpg', 'met_2.full.jpg', 'met_3.full.jpg']);
    expect((await run()).museums.met).toMatchObject({ brought: 0 });
    expect(asked()).toEqual([]);
  });

  test('a run stays within its byte budget and a larger budget resumes it', async () => {
    const { run, asked } = await given(...WORKS);
    const report = await run({ bytesMax: 2 * picture.length });
    expect([report.pictures, report.bytes, report.isFull]).toEqual([2, 2 * picture.length, true]);
    asked();
    expect(await run()).toMatchObject({ pictures: 3, isFull: false });
    expect(asked()).toEqual(['2.jpg']);
  });

  test.each([
    ['403', { code: 403 }],
    ['429', { code: 429, headers: { 'retry-after': '1' } }],
    ['a page', Buffer.from('<html><body>Not here</body></html>')],
    ['a redirect inward', { code: 302, headers: { location: 'http://127.0.0.2/latest/meta-data' } }],
    ['a gigabyte', { code: 200, headers: { 'content-length': '1000000000' } }],
    ['a picture that broke off', 'half'],
  ])(
    '%s instead of one image leaves no partial file and does not block other images',
    async (_what, said) => {
      const { run, names, files } = await given(...WORKS);
      museums.says(
        `${host}/1.jpg`,
        said === 'half' ? picture.subarray(0, picture.length - 200) : (said as object),
      );
      const { met } = (await run()).museums;
      expect(met?.failed).toBeGreaterThanOrEqual(1);
      expect(met?.problems[0]).toBeTruthy();
      expect(names().some((name) => name.startsWith('met_1') || name.endsWith('.part'))).toBe(false);
      museums.says(`${host}/1.jpg`, picture);
      await run();
      expect((await files.read('met_1'))?.picture.length).toBe(picture.length);
    },
  );

  test('a concurrent run is rejected and a killed run blocks no later one', async () => {
    const { run, database, folder, names } = await given(...WORKS);
    const [first, second] = await Promise.allSettled([run(), run()]);
    const refused = [first, second].find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'busy' });
    await database.query(
      `insert into mirror_run (owner, written_at) values ('killed', now() - interval '1 hour')`,
    );
    writeFileSync(join(folder, 'met', 'met_9.full.jpg.aa.part'), 'half');
    await run();
    expect(names()).toHaveLength(3);
  });

  test('a damaged file is not served and refetched; a withdrawn work is deleted', async () => {
    const { run, database, folder, files, names, asked } = await given(...WORKS);
    await run();
    truncateSync(join(folder, 'met', 'met_2.full.jpg'), 100);
    expect(await files.read('met_2')).toBeUndefined();
    asked();
    expect(await run({ isChecked: true })).toMatchObject({ dropped: 1, pictures: 3 });
    expect(asked()).toEqual(['2.jpg']);
    const edition = await withdraw(database, { id: 'met_1', reason: 'asked for', now: new Date() });
    expect(await run({}, edition)).toMatchObject({ dropped: 1, pictures: 2 });
    expect(names()).toEqual(['met_2.full.jpg', 'met_3.full.jpg']);
  });

  test('cached images are served when their museum is unavailable', async () => {
    const { run, files, asked, pictures } = await given(...WORKS);
    await run();
    asked();
    museums.says(`${host}/3.jpg`, { code: 403 });
    const { bytes } = await pictures(files).picture(WORKS[2]!, 'full');
    expect([Buffer.compare(Buffer.from(bytes), picture), asked()]).toEqual([0, []]);
    // The record has a new URL, which refuses the request.
    const moved = work(3, { image: { kind: 'file', url: `https://${host}/moved.jpg` } });
    expect((await pictures(files).picture(moved, 'full')).bytes.length).toBe(
      readFileSync(join(folders.at(-1)!, 'met', 'met_3.full.jpg')).length,
    );
    expect(asked()).toEqual(['moved.jpg']);
  });
});
