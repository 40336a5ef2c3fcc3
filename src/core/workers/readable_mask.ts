import { preparePicture } from '@atelier/imaging/intake/prepare_picture.ts';
import { DECODER_RESOURCES } from './decoder_resources.ts';

/** The mask beside a picture as engines read it: it comes in any format pictures come in, and only the picture was prepared before. */
export async function withReadableMask<Request extends { readonly mask?: Uint8Array | undefined }>(
  request: Request,
): Promise<Request> {
  if (!request.mask) return request;
  return { ...request, mask: (await preparePicture(request.mask, DECODER_RESOURCES)).bytes };
}
