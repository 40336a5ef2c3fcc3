import type { LabelRequest } from '@atelier/imaging/label/draw_label.ts';
import {
  type MarkedPicture,
  type MarkRequest,
  markPicture,
} from '@atelier/imaging/provenance/ai_marking/mark_picture.ts';
import type { OnProgress } from './metadata_passthrough.ts';
import { labelTypeface } from './open_typeface.ts';

interface AiMarkRequest extends Omit<MarkRequest, 'label'> {
  readonly label?: Omit<LabelRequest, 'typeface'>;
}

/** Marks an image as made by AI; the label typeface is opened only if a label is requested. */
export const runMarkAi = (
  { label, ...request }: AiMarkRequest,
  onProgress: OnProgress,
): Promise<MarkedPicture> =>
  markPicture({ ...request, ...(label && { label: { ...label, typeface: labelTypeface() } }) }, onProgress);
