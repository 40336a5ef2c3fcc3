import * as onnxruntime from 'onnxruntime-node';
import type { Numbers, Provider, Session } from './session.ts';

export const ONNXRUNTIME = {
  name: 'onnxruntime',
  version: onnxruntime.env.versions.node ?? 'unknown',
} as const;

/** Opens an ONNX file with the given providers, like onnxruntime. */
export type CreateSession = (
  model: Uint8Array,
  options: onnxruntime.InferenceSession.SessionOptions,
) => Promise<onnxruntime.InferenceSession>;

/** Cached: without CUDA, each attempt takes a while and fails. */
let isWithoutCuda = false;

/**
 * Opens an ONNX file with one provider. Operators that the provider lacks run on the CPU, as always in onnxruntime; a missing provider is an error.
 * Without the arena, memory is returned after each run: 439 MB instead of 651 for the largest model at 128 × 128. Without memory patterns, IS-Net
 * peaks at 1175 MB instead of 1474. Waiting threads sleep instead of spinning, which saves a fifth of the CPU time on a busy machine.
 * @param arena `kept`: memory is reused between layers and runs until the session is closed. Useful for models with many large layers: SPAN otherwise
 * maps 20 GB per megapixel, two fifths of its CPU time. IS-Net would gain a seventh for 360 MB.
 */
export async function openSession(
  model: Uint8Array,
  provider: Provider = 'cpu',
  create: CreateSession = (bytes, options) => onnxruntime.InferenceSession.create(bytes, options),
  arena: 'none' | 'kept' = 'none',
): Promise<Session> {
  const [session, place] = await openOn(model, provider, (bytes, options) =>
    create(bytes, { ...options, enableCpuMemArena: arena === 'kept' }),
  );
  const [input] = session.inputNames;
  return {
    provider: place,
    inputs: session.inputNames,
    outputs: session.outputNames,
    async run(data, sides) {
      return floatsOf(await session.run({ [input!]: new onnxruntime.Tensor('float32', data, sides) }));
    },
    async runNamed(inputs, outputs) {
      const known = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
      const feeds = known.map(([name, numbers]) => [name, tensorOf(numbers)]);
      return floatsOf(await session.run(Object.fromEntries(feeds), outputs));
    },
    async runBytes(inputs) {
      const feeds = Object.entries(inputs).map(([name, { data, sides }]) => [
        name,
        new onnxruntime.Tensor('uint8', data, sides),
      ]);
      const [output] = session.outputNames;
      const { data, dims } = (await session.run(Object.fromEntries(feeds), [output!]))[output!]!;
      return { data: data as Uint8Array, sides: dims };
    },
    close: () => session.release(),
  };
}

const floatsOf = (answers: onnxruntime.InferenceSession.OnnxValueMapType) =>
  new Map(
    Object.entries(answers).map(([name, answer]) => [
      name,
      { data: answer.data as Float32Array, sides: answer.dims },
    ]),
  );

function tensorOf({ data, sides }: Numbers): onnxruntime.Tensor {
  if (data instanceof Float32Array) return new onnxruntime.Tensor('float32', data, sides);
  return data instanceof Uint8Array
    ? new onnxruntime.Tensor('bool', data, sides)
    : new onnxruntime.Tensor('int64', data, sides);
}

async function openOn(
  model: Uint8Array,
  provider: Provider,
  create: CreateSession,
): Promise<[onnxruntime.InferenceSession, Session['provider']]> {
  const on = (name: Session['provider']) =>
    create(model, {
      executionProviders: [name],
      enableMemPattern: false,
      logSeverityLevel: 3,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  if (provider !== 'auto') return [await on(provider), provider];
  if (isWithoutCuda) return [await on('cpu'), 'cpu'];
  try {
    return [await on('cuda'), 'cuda'];
  } catch {
    const session = await on('cpu');
    // A file that fails on every provider is not evidence against the device.
    isWithoutCuda = true;
    return [session, 'cpu'];
  }
}
