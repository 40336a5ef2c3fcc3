import type { SeenAndLabelled } from '@atelier/imaging/vision/calibrate_terms.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { type LabelledPicture, LabelsError, type NamingEmbedder, type Watch } from './types.ts';

/** What the pair of encoders sees in each picture. @throws LabelsError naming a picture that is none; AtelierError model_unavailable */
export async function lookAtLabelled(
  pixels: Pick<Pixels, 'run'>,
  network: NamingEmbedder,
  pictures: readonly LabelledPicture[],
  { signal, onProgress }: Watch,
): Promise<SeenAndLabelled[]> {
  const seen: SeenAndLabelled[] = [];
  for (const { file, terms, half, read } of pictures) {
    signal.throwIfAborted();
    onProgress(seen.length / pictures.length, 'Looking at labelled pictures');
    const bytes = await read();
    try {
      const { width, height } = pictureHeader(bytes);
      const shares = await pixels.run(
        'look_for_terms',
        { bytes, network },
        { pixels: width * height, signal },
      );
      seen.push({ shares: new Map(shares), terms, half });
    } catch (error) {
      if (!(error instanceof AtelierError) || error.code === 'model_unavailable' || signal.aborted)
        throw error;
      throw new LabelsError(`${file}: ${error.message}`, { cause: error });
    }
  }
  return seen;
}
