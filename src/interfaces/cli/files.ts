import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '@atelier/client/transport.ts';
import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';
import { UPLOAD_BYTES_MAX } from '../../config/limits.ts';
import type { Connection } from './client.ts';
import { type ToolDescription, takesFile } from './input_schema.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage_error.ts';

export const HANDLE = /^(https?:\/\/|data:|upload:|asset:|artwork:|result:)/i;
const EXTENSIONS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'text/plain': 'txt',
};

/**
 * Replaces file names in file fields by base64. Handles and URLs stay, and `-` is standard input. If the tool
 * has a media type field that was not set, it is detected from the file.
 */
export async function withFiles(input: Body, tool: ToolDescription, terminal: Terminal): Promise<Body> {
  const read: Body = {};
  const typeField = tool.fields.content_type;
  const asksType = typeField && !typeField.enum && input.content_type === undefined;
  for (const [field, value] of Object.entries(input)) {
    const name = String(value);
    if (!takesFile(tool.fields[field] ?? {}) || HANDLE.test(name)) continue;
    const bytes = await bytesOf(name, terminal);
    read[field] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
    if (asksType) read.content_type = await (await import('./files.ts')).typeOfFile(bytes, name);
  }
  return { ...input, ...read };
}

/** An existing file takes precedence over a handle only if the name is a path: ./upload:1.png */
async function bytesOf(name: string, terminal: Terminal): Promise<Uint8Array> {
  const bytes = name === '-' ? await terminal.readStdin() : await fileBytes(name);
  if (bytes.byteLength > 0) return bytes;
  throw new UsageError(`${name === '-' ? 'Standard input' : name} is empty.`);
}

/** @throws UsageError if there is no such file, or it is too large */
export async function fileBytes(name: string): Promise<Uint8Array> {
  const found = await stat(name).catch(() => undefined);
  if (!found)
    throw new UsageError(
      `There is no file ${name}. Use a file name, a URL, a handle such as upload:<id>, or - for standard input.`,
    );
  if (!found.isFile() && !found.isFIFO() && !found.isCharacterDevice())
    throw new UsageError(`${name} is not a file.`);
  if (found.size > UPLOAD_BYTES_MAX)
    throw new UsageError(
      `${name} is larger than ${UPLOAD_BYTES_MAX / 1_048_576} MB, the limit for one call.`,
    );
  return readFile(name);
}

export interface AnswerFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Field of the result that contained them. */
  readonly field: string;
}

/** The file in a result, if any. */
export function answerFile(answer: Body): AnswerFile | undefined {
  const contentType =
    typeof answer.content_type === 'string' ? answer.content_type : 'application/octet-stream';
  if (typeof answer.svg_content === 'string')
    return { bytes: Buffer.from(answer.svg_content), contentType: 'image/svg+xml', field: 'svg_content' };
  const field = ['image_b64', 'file_b64', 'data'].find((name) => typeof answer[name] === 'string');
  if (field === undefined) return undefined;
  return { bytes: Buffer.from(answer[field] as string, 'base64'), contentType, field };
}

/** The link to the file of a result, or to the ZIP of its files. */
export function linkOf({ result_url: url, zip_url: zip }: Body): string | undefined {
  return [url, zip].find((link) => typeof link === 'string');
}

/**
 * For `--output url`, the steps of a recipe, and many files in a ZIP, the bytes are only available by link.
 */
export async function fetchLinkedFile(
  answer: Body,
  { connection, signal }: { readonly connection: Pick<Connection, 'fetch'>; readonly signal: AbortSignal },
): Promise<AnswerFile | undefined> {
  const url = linkOf(answer);
  if (url === undefined) return undefined;
  const response = await connection.fetch(new Request(url, { signal })).catch(() => undefined);
  if (!response?.ok) return undefined;
  const contentType = response.headers.get('content-type') ?? 'application/octet-stream';
  return { bytes: new Uint8Array(await response.arrayBuffer()), contentType, field: '' };
}

/** Writes to the given path and returns it. @throws Error with the reason */
export async function writeTo(path: string, { bytes }: AnswerFile): Promise<string> {
  await writeFile(path, bytes).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be written (${error.code}).`);
  });
  return path;
}

/** Writes under the first free name: resize_image.png, resize_image-2.png … @throws Error */
export async function writeNew(
  folder: string,
  { bytes, contentType }: AnswerFile,
  stem: string,
): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${stem}${count === 1 ? '' : `-${count}`}.${extensionOf(contentType)}`);
    try {
      await writeFile(path, bytes, { flag: 'wx' });
      return path;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new Error(`${path} cannot be written (${code}).`);
    }
  }
}

/** The usual extension of a media type. */
export function extensionOf(contentType: string): string {
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const subtype = /^[a-z]+\/([a-z0-9]{1,10})$/.exec(type)?.[1];
  return EXTENSIONS[type] ?? subtype ?? 'bin';
}

/** The media type of a file, by its first bytes, else by its name. */
export async function typeOfFile(bytes: Uint8Array, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(bytes);
  return found?.mime ?? mime.getType(name) ?? 'application/octet-stream';
}
