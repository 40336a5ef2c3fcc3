import { createHash } from 'node:crypto';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { askTool } from '../ask.ts';
import { openPicture, pictureAddress } from '../tools/picture_operation.ts';
import { withSamples } from '../tools/post_run.ts';
import type { Visit } from '../types.ts';
import type { Verification } from './words.ts';

/** A checked image with the findings. */
export interface Checked {
  /** As in the URL of the page: `upload:…`, `sample:pear`. */
  readonly handle: string;
  /** URL of the image for pages. */
  readonly address: string;
  readonly picture: Pick<SourceImage, 'format' | 'width' | 'height'>;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly found: Verification;
}

/**
 * Calls verify_provenance for an image on this server, on behalf of the visitor.
 * @throws AtelierError of the tool; invalid_input for external URLs: opening a link must not send requests to other servers
 */
export async function checkPicture(handle: string, visit: Visit): Promise<Checked> {
  const address = pictureAddress(handle);
  if (address === undefined)
    throw invalidField(
      'image',
      'The link must name an image on this server: upload:…, result:…, artwork:…, asset:… or sample:…. Use the form to check a file or URL.',
    );
  const { image } = withSamples({ image: handle });
  const found: Verification = await askTool(visit, verifyProvenance, { image });
  const { picture } = await openPicture(visit, image!);
  return {
    handle,
    address,
    picture,
    found,
    sizeBytes: picture.bytes.length,
    sha256: createHash('sha256').update(picture.bytes).digest('hex'),
  };
}
