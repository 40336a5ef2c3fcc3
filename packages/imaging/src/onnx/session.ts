/** Where a network may run: names of onnxruntime's execution providers. `auto`: on a CUDA device where one opens, else on the processor. */
export type Provider = 'cpu' | 'auto' | 'cuda' | 'coreml' | 'dml' | 'webgpu';

/** What one input is given: 32-bit floats, whole numbers of 64 bits, or truth values as 0 and 1. */
export interface Numbers {
  readonly data: Float32Array | BigInt64Array | Uint8Array;
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
   * @param outputs those to answer
   */
  runNamed(
    inputs: Readonly<Record<string, Numbers>>,
    outputs: readonly string[],
  ): Promise<Map<string, { data: Float32Array; sides: readonly number[] }>>;
  /**
   * For networks that take and give whole numbers of 8 bits.
   * @param inputs each by its name, all of them
   * @returns the first output
   */
  runBytes(inputs: Readonly<Record<string, Bytes>>): Promise<Bytes>;
  /** Gives its memory back. */
  close(): Promise<void>;
}
