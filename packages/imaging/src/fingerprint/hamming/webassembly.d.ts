/** The part of the standard (W3C WebAssembly JavaScript Interface) used here; the types of Node leave it to the browser's. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number });
    /** Another one after every growth. */
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
