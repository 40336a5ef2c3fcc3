import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

/** The media type of a file, by its first bytes, else by its name. */
export async function typeOfFile(bytes: Uint8Array, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(bytes);
  return found?.mime ?? mime.getType(name) ?? 'application/octet-stream';
}
