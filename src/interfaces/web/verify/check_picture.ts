import { createHash } from 'node:crypto';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { verifyProvenance } from '../../../features/provenance/tools/verify_provenance.ts';
import { askTool } from '../ask.ts';
import { openPicture, pictureAddress } from '../tools/picture_operation.ts';
import { withSamples } from '../tools/post_run.ts';
import type { Visit } from '../types.ts';
import type { Verification } from './words.ts';

/** A picture that was asked about, and what was found out. */
export interface Checked {
  /** As the address of the page has it: `upload:…`, `sample:pear`. */
  readonly handle: string;
  /** Where a page of ours finds it. */
  readonly address: string;
  readonly picture: Pick<SourceImage, 'format' | 'width' | 'height'>;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly found: Verification;
}

/**
 * Asks the witnesses about a picture of this server, as its visitor would.
 * @throws AtelierError as the tool does; invalid_input for other addresses: opening a link sends no request to other servers
 */
export async function checkPicture(handle: string, visit: Visit): Promise<Checked> {
  const address = pictureAddress(handle);
  if (address === undefined)
    throw invalidField(
      'image',
      'A link to this page can name upload:…, result:…, artwork:…, asset:… or sample:… alone. Send the picture or its address by the form.',
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
