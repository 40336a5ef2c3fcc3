import type { Blobs } from '../storage/blobs/types.ts';
import type { SourceImage } from '../workers/types.ts';
import type { ClaimedRow } from './run_store.ts';
import type { KeptPicture } from './store.ts';
import type { NewJob } from './types.ts';

/** Puts pictures, as bytes, and the rest of the input on the disk. */
export async function keepInput(
  blobs: Pick<Blobs, 'put'>,
  { input, pictures }: Pick<NewJob, 'input' | 'pictures'>,
): Promise<{ inputSha256: string; pictures: KeptPicture[] }> {
  const [inputSha256, ...kept] = await Promise.all([
    blobs.put(new TextEncoder().encode(JSON.stringify(input))),
    ...Object.entries(pictures).map(async ([field, { bytes, format, width, height }]) => ({
      field,
      sha256: await blobs.put(bytes),
      format,
      width,
      height,
    })),
  ]);
  return { inputSha256, pictures: kept };
}

export async function readInput(
  blobs: Pick<Blobs, 'get'>,
  { inputSha256, pictures }: Pick<ClaimedRow, 'inputSha256' | 'pictures'>,
): Promise<Pick<NewJob, 'input' | 'pictures'>> {
  const opened = await Promise.all(
    pictures.map(async ({ field, sha256, format, width, height }) => {
      const picture = {
        bytes: await blobs.get(sha256),
        format: format as SourceImage['format'],
        width,
        height,
      };
      return [field, picture] as const;
    }),
  );
  return {
    input: JSON.parse(new TextDecoder().decode(await blobs.get(inputSha256))),
    pictures: Object.fromEntries(opened),
  };
}
