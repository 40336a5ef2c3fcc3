import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { fingerprintOf } from '@atelier/imaging/fingerprint/fingerprint.ts';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { scene } from '../../../../tests/support/scene.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createHashes } from '../../provenance/hashes/hashes.ts';
import { deleteWork } from '../../provenance/hashes/store.ts';
import { createProvenance } from '../../provenance/service.ts';
import { createFileWitness } from '../../provenance/witnesses/file.ts';
import { createHashWitness } from '../../provenance/witnesses/hash.ts';
import { parseRecord } from '../records/record.ts';
import { registerWork } from './register_work.ts';

const { signal } = new AbortController();
/** Runs the engine in this process. */
const pixels = {
  run: async (_: string, input: Parameters<typeof fingerprintOf>[0]) => fingerprintOf(input),
} as unknown as Pixels;
const WORK = parseRecord({
  id: 'met_1',
  museum: 'met',
  title: 'Wave',
  artists: [{ name: 'Hokusai' }],
  source_url: 'https://museum.test/1',
  rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
});

forEachDatabase((_name, open) => {
  test('crops and framed copies of a registered image match its work until withdrawal', async () => {
    const database = await open();
    const hashes = createHashes(database);
    const picture = await scene(21);
    for (let again = 0; again < 2; again++) await registerWork(WORK, picture, { pixels, hashes, signal });
    const works = { near: () => [], sharing: () => [], windows: 0 };
    const provenance = createProvenance([createHashWitness({ hashes, works }), createFileWitness(hashes)]);
    const seen = async (copy: Buffer) => {
      const fingerprint = await fingerprintOf({ bytes: copy, purpose: 'verify' });
      const control = { pixels: 0, signal };
      const { matches } = await provenance.examine({ bytes: copy, sha256: 'x', fingerprint, control });
      return matches.map(({ id, kind, title, artist, provenanceUri, by, wallet, registeredAt, preview }) => ({
        id,
        kind,
        title,
        artist,
        provenanceUri,
        by,
        wallet,
        registeredAt,
        isShown: preview !== undefined,
      }));
    };
    const crop = sharp(picture).extract({ left: 40, top: 30, width: 520, height: 400 }).jpeg();
    const frame = sharp(picture).extend({ top: 70, bottom: 70, left: 70, right: 70, background: '#431' });
    const expected = [
      {
        id: 'met_1',
        kind: 'work',
        title: 'Wave',
        artist: 'Hokusai',
        by: 'windows',
        provenanceUri: 'https://museum.test/1',
        wallet: null,
        registeredAt: null,
        isShown: true,
      },
    ];
    for (const copy of [crop, frame]) expect(await seen(await copy.toBuffer())).toEqual(expected);
    expect((await hashes.load()).pictures).toBe(1);
    const logged = await database.query(`select 1 from log_pending where entry like 'hash:%'`);
    expect(logged).toHaveLength(1);

    await deleteWork(database, 'met_1');
    expect(await seen(await crop.toBuffer())).toEqual([]);
    await hashes.close();
  });

  test('an image without enough detail to identify is rejected', async () => {
    const hashes = createHashes(await open());
    const flat = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#246' } })
      .png()
      .toBuffer();
    await expect(registerWork(WORK, flat, { pixels, hashes, signal })).rejects.toMatchObject({
      code: 'unsuitable_image',
    });
    await hashes.close();
  });
});
