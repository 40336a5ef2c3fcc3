/** Execution providers by onnxruntime's names. `auto`: CUDA if available, else the CPU. */
export type Provider = 'cpu' | 'auto' | 'cuda' | 'coreml' | 'dml' | 'webgpu';

/** An input: 32-bit floats, 64-bit integers, or booleans as 0 and 1. */
export interface Numbers {
  readonly data: Float32Array | BigInt64Array | Uint8Array;
  /** Outermost first. */
  readonly sides: readonly number[];
}

/** A tensor of integers from 0 to 255. */
export interface Bytes {
  readonly data: Uint8Array;
  /** Outermost first. */
  readonly sides: readonly number[];
}

export interface Session {
  /** The execution provider in use. */
  readonly provider: Exclude<Provider, 'auto'>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** @param sides dimensions of the input, outermost first */
  run(
    data: Float32Array,
    sides: readonly number[],
  ): Promise<Map<string, { data: Float32Array; sides: readonly number[] }>>;
  /**
   * For models with several inputs.
   * @param inputs all inputs by name; unknown ones are ignored
   * @param outputs names of the outputs to return
   */
  runNamed(
    inputs: Readonly<Record<string, Numbers>>,
    outputs: readonly string[],
  ): Promise<Map<string, { data: Float32Array; sides: readonly number[] }>>;
  /**
   * For models with 8-bit integer inputs and outputs.
   * @param inputs all inputs by name
   * @returns the first output
   */
  runBytes(inputs: Readonly<Record<string, Bytes>>): Promise<Bytes>;
  /** Releases its memory. */
  close(): Promise<void>;
}
