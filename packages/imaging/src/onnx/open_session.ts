import * as onnxruntime from 'onnxruntime-node';

/** Where a network may run: names of onnxruntime's execution providers. `auto`: on a CUDA device where one opens, else on the processor. */
export const PROVIDERS = ['cpu', 'auto', 'cuda', 'coreml', 'dml', 'webgpu'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const ONNXRUNTIME = {
  name: 'onnxruntime',
  version: onnxruntime.env.versions.node ?? 'unknown',
} as const;

/** What one input is given: 32-bit floats, or whole numbers of 64 bits. */
export interface Numbers {
  readonly data: Float32Array | BigInt64Array;
  /** Outermost first. */
  readonly sides: readonly number[];
}

/** A tensor of whole numbers from 0 to 255. */
export interface Bytes {
  readonly data: Uint8Array;
  /** Outermost first. */
  readonly sides: readonly number[];
}

export interface Session {
  /** Where it runs. */
  readonly provider: Exclude<Provider, 'auto'>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** @param sides of the input, outermost first */
  run(
    data: Float32Array,
    sides: readonly number[],
  ): Promise<Map<string, { data: Float32Array; sides: readonly number[] }>>;
  /**
   * For networks of several inputs.
   * @param inputs each by its name, all of them; those it does not have are left out
   * @param output the one to answer
   */
  runNamed(inputs: Readonly<Record<string, Numbers>>, output: string): Promise<Float32Array>;
  /**
   * For networks that take and give whole numbers of 8 bits.
   * @param inputs each by its name, all of them
   * @returns the first output
   */
  runBytes(inputs: Readonly<Record<string, Bytes>>): Promise<Bytes>;
  /** Gives its memory back. */
  close(): Promise<void>;
}

/** Opens an ONNX file on the providers named, as onnxruntime does. */
export type CreateSession = (
  model: Uint8Array,
  options: onnxruntime.InferenceSession.SessionOptions,
) => Promise<onnxruntime.InferenceSession>;

/** Without what CUDA needs, asking for it takes a while and fails the same every time. */
let isWithoutCuda = false;

/**
 * Opens an ONNX file on one provider. Parts of a network the provider cannot do run on the processor, as onnxruntime
 * always does; a provider that is not there at all is an error.
 * Without the arena memory goes back after every run: 439 MB instead of 651 for the largest network at 128 × 128. Without memory
 * patterns IS-Net peaks at 1175 MB instead of 1474. Threads that wait sleep instead of spinning: a fifth less processor time on a busy machine.
 */
export async function openSession(
  model: Uint8Array,
  provider: Provider = 'cpu',
  create: CreateSession = (bytes, options) => onnxruntime.InferenceSession.create(bytes, options),
): Promise<Session> {
  const [session, place] = await openOn(model, provider, create);
  const [input] = session.inputNames;
  return {
    provider: place,
    inputs: session.inputNames,
    outputs: session.outputNames,
    async run(data, sides) {
      const answers = await session.run({ [input!]: new onnxruntime.Tensor('float32', data, sides) });
      return new Map(
        Object.entries(answers).map(([name, answer]) => [
          name,
          { data: answer.data as Float32Array, sides: answer.dims },
        ]),
      );
    },
    async runNamed(inputs, output) {
      const known = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
      const feeds = known.map(([name, { data, sides }]) => [
        name,
        data instanceof Float32Array
          ? new onnxruntime.Tensor('float32', data, sides)
          : new onnxruntime.Tensor('int64', data, sides),
      ]);
      const answers = await session.run(Object.fromEntries(feeds), [output]);
      return answers[output]!.data as Float32Array;
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

async function openOn(
  model: Uint8Array,
  provider: Provider,
  create: CreateSession,
): Promise<[onnxruntime.InferenceSession, Session['provider']]> {
  const on = (name: Session['provider']) =>
    create(model, {
      executionProviders: [name],
      enableCpuMemArena: false,
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
    // A file that opens nowhere says nothing about the device.
    isWithoutCuda = true;
    return [session, 'cpu'];
  }
}
