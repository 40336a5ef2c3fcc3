import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { GROUPS } from '@atelier/imaging/vision/subject_thresholds.ts';
import { z } from 'zod';
import { makeFolder, refuseFullDisk, replaceFile } from '../../../core/storage/blobs/disk.ts';
import type { Calibration, KeptVectors } from './types.ts';

/** What was made and measured of a network, under a key that names the network and the vocabulary. */
export interface KeptTerms {
  /** Undefined where there are none, or what is there is not what was written. */
  vectors(key: string): Promise<KeptVectors | undefined>;
  /** Those of other networks go. @throws AtelierError storage_full */
  keepVectors(key: string, vectors: readonly Float32Array[]): Promise<void>;
  calibration(key: string): Promise<Calibration | undefined>;
  /** @throws AtelierError storage_full */
  keepCalibration(key: string, calibration: Calibration): Promise<void>;
}

const finds = z.object({ right: z.int().min(0), all: z.int().min(0), pictures: z.int().min(0) });
/** A person may look into it. What says less than nine of ten was written by somebody else. */
const calibrationFile = z.object({
  network: z.string(),
  pictures: z.int().min(1),
  groups: z.array(
    z.object({
      group: z.enum(GROUPS),
      threshold: z
        .object({ share: z.number().min(0.01).max(2), confidence: z.number().min(0.9).max(1) })
        .optional(),
      chosenOn: finds,
      heldBack: finds,
      speaks: z.boolean(),
    }),
  ),
});
/** Beside the vectors: its arrival is theirs. */
const vectorsFile = z.object({ bytes: z.int().min(1), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export function createKeptTerms(folder: string): KeptTerms {
  const pathOf = (key: string, ending: string) => join(folder, `${key}.${ending}`);
  /** The file looked at last, found whole: it is not read again before it changes. */
  let whole = '';
  const isWhole = async (path: string, { bytes, sha256 }: z.output<typeof vectorsFile>): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined);
    if (found?.size !== bytes) return false;
    const seen = `${path} ${found.mtimeMs} ${sha256}`;
    if (whole === seen) return true;
    if (
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex') !== sha256
    )
      return false;
    whole = seen;
    return true;
  };
  return {
    async vectors(key) {
      const record = await readJson(pathOf(key, 'vectors.json'), vectorsFile);
      const path = pathOf(key, 'vectors');
      if (!record || !(await isWhole(path, record))) return undefined;
      return { name: 'the vectors of terms', path, sha256: record.sha256 };
    },
    keepVectors: (key, vectors) =>
      refuseFullDisk(async () => {
        await makeFolder(folder);
        const bytes = Buffer.concat(
          vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
        );
        await replaceFile(pathOf(key, 'vectors'), bytes);
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        await replaceFile(pathOf(key, 'vectors.json'), textOf({ bytes: bytes.length, sha256 }));
        const isOther = (file: string) =>
          /^[0-9a-f]{64}\.vectors(\.json)?$/.test(file) && !file.startsWith(key);
        for (const file of (await readdir(folder)).filter(isOther))
          await rm(join(folder, file), { force: true });
      }),
    calibration: async (key) =>
      (await readJson(pathOf(key, 'calibration.json'), calibrationFile)) as Calibration | undefined,
    keepCalibration: (key, calibration) =>
      refuseFullDisk(async () => {
        await makeFolder(folder);
        await replaceFile(pathOf(key, 'calibration.json'), textOf(calibration));
      }),
  };
}

const textOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Undefined where there is no such file, or it is not what was written. */
async function readJson<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.output<Shape> | undefined> {
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
