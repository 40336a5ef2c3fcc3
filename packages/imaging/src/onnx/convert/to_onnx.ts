import { WeightsError } from '../tensors.ts';
import { fromTfjs } from './from_tfjs.ts';
import { fromTflite } from './from_tflite.ts';
import { isTfjs } from './read_tfjs.ts';
import { isTflite } from './read_tflite.ts';

/**
 * The network of a TFLite file or of a TensorFlow.js description as an ONNX graph; undefined for files of other forms.
 * @param beside gives the bytes of a file that belongs to it by its name; undefined where it is not there
 * @throws WeightsError for damaged files, and for what we do not know, by its name
 */
export function toOnnx(
  file: Uint8Array,
  beside: (name: string) => Uint8Array | undefined,
): Uint8Array | undefined {
  try {
    if (isTflite(file)) return fromTflite(file);
    return isTfjs(file) ? fromTfjs(file, beside) : undefined;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new WeightsError('The network is cut or altered: it points outside its file.', { cause: error });
  }
}
