import { manifestsIn } from './jumbf.ts';
import { manifestStoreIn } from './manifest_store.ts';
import { type DeclaredBinding, type ManifestReading, readManifest } from './read_manifest.ts';

export interface TakenManifest {
  readonly reading: ManifestReading;
  /** Id of the active manifest and its store; undefined unless the manifest is valid and unambiguous. */
  readonly kept?: {
    readonly id: string;
    readonly store: Uint8Array;
    readonly softBindings?: readonly DeclaredBinding[];
  };
}

/**
 * Extracts the C2PA manifest store from an image it is valid for, to store it separately. Undefined for an image without a manifest. Never throws
 * because of the manifest's content.
 * @param wasm the WebAssembly module of the library
 */
export async function takeManifest(request: {
  bytes: Uint8Array;
  wasm: Uint8Array;
}): Promise<TakenManifest | undefined> {
  const reading = await readManifest(request);
  if (reading?.state !== 'valid') return reading && { reading };
  const store = manifestStoreIn(request.bytes);
  const id = store && manifestsIn(store)?.at(-1)?.id;
  // The stored manifest must be the validated one.
  if (!store || id === undefined || id !== reading.id) return { reading };
  const { softBindings } = reading;
  return { reading, kept: { id, store, ...(softBindings && { softBindings }) } };
}
