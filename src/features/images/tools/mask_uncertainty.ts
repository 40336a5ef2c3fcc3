import type { FoundBy } from '@atelier/imaging/segmentation/remove_background.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { FetchProgress } from '../../models/types.ts';

export interface MaskUncertainty {
  readonly uncertaintyShare: number;
  readonly doubt?: number;
}

/** Results from a flat background or existing transparency are as good as those of a model: see docs/concepts/cut_outs.md. */
export function degradation(
  foundBy: FoundBy,
  progress: FetchProgress | undefined,
): { degraded: boolean; degraded_reason?: string } {
  if (foundBy !== 'colors') return { degraded: false };
  return {
    degraded: true,
    degraded_reason: `The subject was found by colour alone, because no segmentation model is installed; a model gives better results on photographs. ${remedyFor(progress)}`,
  };
}

/** The background removal model that a server downloads first. */
export const FETCHED = 'isnet_general';

/** How to get a better result: wait for a running download, or install the model. */
export const remedyFor = (progress: FetchProgress | undefined): string => progress?.text ?? REMEDY;

export const unclearWithout = (detail: string, progress: FetchProgress | undefined): AtelierError =>
  new AtelierError('subject_unclear', `${detail} ${remedyFor(progress)}`, {
    ...(progress && { retryAfterSeconds: progress.retryAfterSeconds }),
  });

const REMEDY =
  'The operator adds a network with "atelier models pull isnet_general" (113 MB) or "atelier models pull u2netp" (5 MB).';
export const UNSURE_SHARE = 0.1;
/** Threshold of the engine's `doubt`; error rates below it: docs/decisions/0024-cut-outs-and-erasing.md. */
export const UNSURE_DOUBT = 0.2;

export const isUnsure = ({ doubt = 0, uncertaintyShare }: MaskUncertainty): boolean =>
  doubt > UNSURE_DOUBT || uncertaintyShare > UNSURE_SHARE;
