import initialise, { WasmBuilder, WasmReader } from '@contentauth/c2pa-wasm';

/** Settings that keep the library offline. Trust decisions are made outside the library. */
export const OFFLINE = {
  verify: {
    verify_trust: false,
    verify_after_sign: false,
    remote_manifest_fetch: false,
    ocsp_fetch: false,
  },
  builder: { thumbnail: { enabled: false } },
} as const;

let opened: Promise<unknown> | undefined;

/** Loads the C2PA library (c2pa-rs as WebAssembly) once per process. @param wasm its module */
export async function openC2pa(wasm: Uint8Array): Promise<{
  Builder: typeof WasmBuilder;
  Reader: typeof WasmReader;
}> {
  opened ??= initialise({ module_or_path: wasm });
  await opened;
  // The library expects a browser's synchronous blob reader, which Node.js lacks.
  Object.assign(globalThis, { FileReaderSync: AtOnceReader });
  return { Builder: WasmBuilder, Reader: WasmReader };
}

/** A blob whose bytes can be read synchronously. */
export class AtOnceBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array, type: string) {
    const own = new Uint8Array(bytes);
    super([own], { type });
    this.#bytes = own;
  }

  override slice(start = 0, end = this.#bytes.length, type = this.type): AtOnceBlob {
    return new AtOnceBlob(this.#bytes.subarray(start, end), type);
  }

  get buffer(): ArrayBuffer {
    return this.#bytes.buffer;
  }
}

class AtOnceReader {
  readAsArrayBuffer(blob: AtOnceBlob): ArrayBuffer {
    return blob.buffer;
  }
}
