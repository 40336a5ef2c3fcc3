import { makeZip } from 'client-zip';

/** Fixed, so that the same files give the same bytes. */
const ZIP_TIME = new Date('1980-01-01T00:00:00');

interface ZippedFile {
  readonly name: string;
  readonly bytes: Uint8Array | string;
}

/** Packs files into a ZIP without compression, because images are compressed already. */
export async function zipFiles(files: readonly ZippedFile[]): Promise<Uint8Array> {
  const entries = files.map(({ name, bytes }) => ({
    name,
    input: bytes as Uint8Array<ArrayBuffer> | string,
    lastModified: ZIP_TIME,
  }));
  return new Uint8Array(await new Response(makeZip(entries)).arrayBuffer());
}
