import { EngineError } from '@atelier/imaging/errors/engine_error.ts';
import {
  type PreparedPicture,
  type PrepareOptions,
  preparePicture,
  repairPicture,
} from '@atelier/imaging/intake/prepare_picture.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';

/** Passes the prepared image to `work`, and then the repaired one if decoding fails on a fault that affects no pixel. */
export async function withPrepared<T>(
  bytes: Uint8Array,
  work: (picture: PreparedPicture) => Promise<T>,
  options: PrepareOptions = {},
): Promise<T> {
  const prepared = await preparePicture(bytes, DECODER_RESOURCES, options);
  try {
    return await work(prepared);
  } catch (error) {
    const isDamaged = error instanceof EngineError && error.code === 'undecodable_image';
    const repaired = isDamaged && prepared.bytes === bytes ? await repairPicture(bytes) : undefined;
    if (!repaired) throw error;
    return work({ ...repaired, pages: prepared.pages });
  }
}
