import { readOnnx } from '../../onnx/read_weights.ts';
import type { Tensor, Tensors } from '../../onnx/tensors.ts';
import { type Architecture, checkArchitecture, expectedShapes } from '../architecture.ts';
import { readPth } from './read_pth.ts';
import { readSafetensors } from './safetensors.ts';

/** PyTorch's own checkpoints, safetensors, and ONNX graphs, of which only the weights are taken. */
export type WeightsForm = 'pth' | 'safetensors' | 'onnx';

/** Tells a form by its first bytes; what is neither of the others may be ONNX, which has no mark of its own. */
export function formOf(bytes: Uint8Array): WeightsForm {
  if ((bytes[0] === 0x50 && bytes[1] === 0x4b) || bytes[0] === 0x80) return 'pth';
  // Eight bytes of length, of which a header of less than 16 MB leaves the upper five empty, then JSON.
  return bytes[8] === 0x7b && bytes.subarray(3, 8).every((byte) => byte === 0) ? 'safetensors' : 'onnx';
}

/**
 * The tensors in a file of any form; nothing in it is run.
 * @param beside gives a file an ONNX graph keeps its weights in
 * @throws WeightsError
 */
export function readWeights(
  bytes: Uint8Array,
  form: WeightsForm,
  beside: (name: string) => Uint8Array | undefined = () => undefined,
): Tensors {
  if (form === 'pth') return readPth(bytes);
  return form === 'safetensors' ? readSafetensors(bytes) : readOnnx(bytes, beside).tensors;
}

/**
 * The tensors of an architecture among those of a file. Whoever writes ONNX adds numbers of their own, and sides of one
 * to slopes, so that form alone may hold more than the architecture has.
 * @throws WeightsError where they are those of another network
 */
export function weightsOf(architecture: Architecture, tensors: Tensors, form: WeightsForm): Tensors {
  const wanted = form === 'onnx' ? pickKnown(tensors, expectedShapes(architecture)) : tensors;
  checkArchitecture(wanted, architecture);
  return wanted;
}

function pickKnown(tensors: Tensors, expected: ReadonlyMap<string, readonly number[]>): Tensors {
  const found = new Map<string, Tensor>();
  for (const [name, { length: axes }] of expected) {
    const tensor = tensors.get(name);
    if (!tensor) continue;
    const isLonger = tensor.shape.slice(axes).every((side) => side === 1);
    found.set(name, { shape: isLonger ? tensor.shape.slice(0, axes) : tensor.shape, data: tensor.data });
  }
  // Nothing fits at all: then the check may say what the file looks like.
  return found.size > 0 ? found : tensors;
}
