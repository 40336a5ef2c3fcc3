import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import tar from 'tar-stream';
import { refuseFullDisk } from '../../core/storage/blobs/disk.ts';
import { MANIFEST, type ModelName } from './manifest.ts';
import { MODEL_FILE_BYTES_MAX } from './speeds.ts';
import type { ImportedModel, InstalledModel } from './types.ts';

/** File names in an export, one per model. */
const FILE_NAME = /^([a-z0-9_]+)\.(?:pth|safetensors|onnx|json|txt)$/;

/**
 * Writes installed models to a tar archive, for a machine without a network connection. The file is renamed when complete.
 * @throws WeightsError where no model is installed, or the file exists
 */
export async function exportModels(models: readonly InstalledModel[], path: string): Promise<void> {
  if (models.length === 0) throw new WeightsError('No model is installed, so there is nothing to export.');
  const part = `${path}.part`;
  const target = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new WeightsError(`${path} already exists. Use another name, or delete the file.`)
      : error;
  });
  await target.close();
  try {
    await refuseFullDisk(() => writeArchive(models, part));
    await rename(part, path);
  } catch (error) {
    for (const left of [part, path]) await rm(left, { force: true });
    throw error;
  }
}

async function writeArchive(models: readonly InstalledModel[], path: string): Promise<void> {
  const pack = tar.pack();
  const file = await open(path, 'w', 0o600);
  const writing = pipeline(pack, file.createWriteStream({ flush: true }));
  try {
    for (const { name, form, bytes, path: weights } of models)
      await pipeline(createReadStream(weights), pack.entry({ name: `${name}.${form}`, size: bytes }));
    pack.finalize();
  } catch (error) {
    pack.destroy(error as Error);
    await writing.catch(() => {}); // it ends with the error above
    throw error;
  }
  await writing;
}

/**
 * Installs the networks of an export. Each is identified by its bytes; names in the archive are not trusted.
 * @param install recognises and installs one. @throws WeightsError
 * @returns the outcome of each, in the order of the archive
 * @throws WeightsError where the file is not an export
 */
export async function importModels(
  path: string,
  install: (name: ModelName, bytes: Uint8Array) => Promise<InstalledModel>,
): Promise<ImportedModel[]> {
  const extract = tar.extract();
  const reading = pipeline(createReadStream(path), extract);
  reading.catch(() => {}); // reported by the loop
  const imported: ImportedModel[] = [];
  try {
    for await (const entry of extract) {
      const { name: file, type, size = 0 } = entry.header;
      const name = FILE_NAME.exec(file)?.[1];
      if (
        type !== 'file' ||
        name === undefined ||
        !(name in MANIFEST) ||
        imported.some((one) => one.name === name)
      )
        throw new WeightsError(
          `${path} is not an export of models: it contains ${JSON.stringify(file.slice(0, 100))}.`,
        );
      if (size > MODEL_FILE_BYTES_MAX)
        throw new WeightsError(
          `${file} in ${path} has more than ${MODEL_FILE_BYTES_MAX / 1e6} MB, more than any model of the manifest.`,
        );
      imported.push(await importOne(name as ModelName, await buffer(entry), install));
    }
    await reading;
  } catch (error) {
    if (error instanceof WeightsError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    if ((error as Error).name === 'AtelierError') throw error;
    throw new WeightsError(
      `${path} is not an export of models, or is incomplete (${(error as Error).message}).`,
      { cause: error },
    );
  }
  if (imported.length === 0)
    throw new WeightsError(`${path} contains no models. Create an export with: atelier models export <file>`);
  return imported;
}

async function importOne(
  name: ModelName,
  bytes: Uint8Array,
  install: (name: ModelName, bytes: Uint8Array) => Promise<InstalledModel>,
): Promise<ImportedModel> {
  try {
    return { name, installed: await install(name, bytes) };
  } catch (error) {
    if (error instanceof WeightsError) return { name, problem: error.message };
    throw error;
  }
}
