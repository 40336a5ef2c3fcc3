import { preparePicture } from '@atelier/imaging/intake/prepare_picture.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';

/** Prepares the mask of a request for engines; it may have any image format, and so far only the image was prepared. */
export async function withReadableMask<Request extends { readonly mask?: Uint8Array | undefined }>(
  request: Request,
): Promise<Request> {
  if (!request.mask) return request;
  return { ...request, mask: (await preparePicture(request.mask, DECODER_RESOURCES)).bytes };
}
