import type { Session } from '@atelier/imaging/onnx/open_session.ts';
import {
  type RemoveBackgroundRequest,
  type RemovedBackground,
  removeBackground,
} from '@atelier/imaging/segmentation/remove_background.ts';
import { segmentByNetwork } from '@atelier/imaging/segmentation/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import { type CutOutFile, openGraph } from './open_models.ts';

export interface CutOutRequest extends RemoveBackgroundRequest {
  readonly network: CutOutFile;
}

/** Cuts out with a network that stays open in this process for the next picture. */
export async function runCutOut(
  { network, ...request }: CutOutRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<RemovedBackground> {
  let provider: Session['provider'] = 'cpu';
  const removed = await removeBackground(request, onProgress, {
    engine: { name: network.name, version: network.sha256.slice(0, 12), weights_sha256: network.sha256 },
    // Opened when it is asked: a flat background needs no network.
    segment: async (picture) => {
      const session = await openGraph(network);
      provider = session.provider;
      return segmentByNetwork(session, SEGMENTERS[network.name])(picture);
    },
  });
  if (network.provider === 'cpu' || removed.foundBy !== 'network') return removed;
  return { ...removed, engine: { ...removed.engine, provider } };
}
