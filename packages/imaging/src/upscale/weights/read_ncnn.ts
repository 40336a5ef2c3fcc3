import { elementsOf, type Tensor, type Tensors, WeightsError } from '../../onnx/tensors.ts';
import { type Architecture, expectedShapes, SPAN_MEAN } from '../architecture.ts';

/** Before numbers of 16 bits (ncnn, src/modelbin.cpp); zero before those of 32. */
const HALF = 0x01306b47;
const FULL = 0;
const WORD = 4;

/**
 * The numbers of an ncnn `.bin`, which are all it holds: kernels behind a word that says how long each number is, padded to four
 * bytes, everything else as 32-bit floats. Names and shapes, in the order of the layers, are those of the network it must be. Before
 * those of SPAN lies what it takes off the colours.
 * @throws WeightsError where it is too short, too long, quantised or begins otherwise
 */
export function readNcnn(bytes: Uint8Array, architecture: Architecture): Tensors {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number) => {
    at += length;
    if (at > bytes.length) throw new WeightsError('The ncnn file ends in the middle of its numbers.');
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
      throw new WeightsError('The ncnn file keeps its numbers in a form that is neither 16 nor 32 bits.');
    return length === HALF ? halves(count) : floats(count);
  };
  const leading = architecture.kind === 'SPAN' ? SPAN_MEAN : new Float32Array();
  if (floats(leading.length).some((value, index) => value !== leading[index]))
    throw new WeightsError('The ncnn file begins otherwise than the network it should hold.');
  const tensors = new Map<string, Tensor>();
  for (const [name, shape] of expectedShapes(architecture)) {
    const count = elementsOf(shape, name);
    tensors.set(name, { shape, data: shape.length > 1 ? kernel(count) : floats(count) });
  }
  if (at < bytes.length) throw new WeightsError('The ncnn file holds more than the network it should be.');
  return tensors;
}
