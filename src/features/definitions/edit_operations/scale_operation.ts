import { scaleLengths } from '../preview.ts';
import { OPERATION_FIELDS, type SentOperation } from './operation_fields.ts';
import { scalePath } from './scale_path.ts';

/** An operation for an image whose sides are `scale` times as long. */
export function scaleOperation(operation: SentOperation, by: { scale: number; dpi: number }): SentOperation {
  const scaled = scaleLengths(OPERATION_FIELDS[operation.op], operation, by);
  return scaled.op === 'shape' && scaled.path !== undefined
    ? { ...scaled, path: scalePath(scaled.path, by.scale) }
    : scaled;
}
