/** The used part of the W3C WebAssembly JavaScript Interface; Node's types rely on those of the browser. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number });
    /** Replaced after each growth. */
    readonly buffer: ArrayBuffer;
    /** @param pages of 64 KiB */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
