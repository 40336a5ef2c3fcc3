import { elementsOf, type Tensor, type Tensors, WeightsError } from '../../onnx/tensors.ts';
import { type Architecture, expectedShapes, SPAN_MEAN } from '../architecture.ts';

/** Tag of 16-bit values (ncnn, src/modelbin.cpp); zero for 32-bit values. */
const HALF = 0x01306b47;
const FULL = 0;
const WORD = 4;

/**
 * Reads an ncnn `.bin`, which contains only values: each kernel follows a tag with its precision and is padded to four bytes; everything
 * else is 32-bit floats. Names and shapes, in layer order, come from the architecture. SPAN files start with the colour mean.
 * @throws WeightsError if the file is too short, too long, quantised or starts differently
 */
export function readNcnn(bytes: Uint8Array, architecture: Architecture): Tensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number) => {
    at += length;
    if (at > bytes.length) throw new WeightsError('The ncnn file is truncated.');
    return at - length;
  };
  const floats = (count: number) => {
    const from = take(count * WORD);
    return Float32Array.from({ length: count }, (_, index) => view.getFloat32(from + index * WORD, true));
  };
  const halves = (count: number) => {
    const from = take(Math.ceil((count * 2) / WORD) * WORD);
    return Float32Array.from({ length: count }, (_, index) => view.getFloat16(from + index * 2, true));
  };
  const kernel = (count: number) => {
    const length = view.getUint32(take(WORD), true);
    if (length !== HALF && length !== FULL)
      throw new WeightsError('The ncnn file stores its values in neither 16 nor 32 bits.');
    return length === HALF ? halves(count) : floats(count);
  };
  const leading = architecture.kind === 'SPAN' ? SPAN_MEAN : new Float32Array();
  if (floats(leading.length).some((value, index) => value !== leading[index]))
    throw new WeightsError('The start of the ncnn file does not match the expected network.');
  const tensors = new Map<string, Tensor>();
  for (const [name, shape] of expectedShapes(architecture)) {
    const count = elementsOf(shape, name);
    tensors.set(name, { shape, data: shape.length > 1 ? kernel(count) : floats(count) });
  }
  if (at < bytes.length) throw new WeightsError('The ncnn file is longer than the expected network.');
  return tensors;
}
