import { createHash } from 'node:crypto';
import { ORIGINAL_CID, ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';

/** The index of the sample: one drawing of ours. What callers have registered is no business of whoever tries. */
export async function amongSample(services: Services, call: CallContext): Promise<Services> {
  const bytes = Buffer.from(ORIGINAL_PNG_B64, 'base64');
  const { width, height } = services.images.ofBytes(bytes, 'image');
  const control = { ...call, pixels: width * height };
  const { hashes, quality, windows, preview } = await services.pixels.run(
    'fingerprint',
    { bytes, purpose: 'register' },
    control,
  );
  const provenance = services.provenanceAmong({
    ...{
      id: 'AETR-1',
      wallet: null,
      workId: null,
      pdq: hashes[0]!,
      quality,
      windows,
      preview,
      width,
      height,
    },
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...{ title: 'Evening, Two Mountains', artist: 'Atelier', provenanceUri: `ipfs://${ORIGINAL_CID}` },
    createdAt: new Date(0),
  });
  return { ...services, provenance };
}
