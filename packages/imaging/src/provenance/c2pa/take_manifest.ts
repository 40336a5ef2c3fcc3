import { manifestsIn } from './jumbf.ts';
import { manifestStoreIn } from './manifest_store.ts';
import { type DeclaredBinding, type ManifestReading, readManifest } from './read_manifest.ts';

export interface TakenManifest {
  readonly reading: ManifestReading;
  /** Identifier of the active manifest, and the store it is in; absent unless it is valid and can be told from any other. */
  readonly kept?: {
    readonly id: string;
    readonly store: Uint8Array;
    readonly softBindings?: readonly DeclaredBinding[];
  };
}

/**
 * Takes the C2PA manifest store out of a picture it vouches for, to keep it apart. Nothing for a picture without a
 * manifest. Never throws for what a manifest holds.
 * @param wasm the library's module
 */
export async function takeManifest(request: {
  bytes: Uint8Array;
  wasm: Uint8Array;
}): Promise<TakenManifest | undefined> {
  const reading = await readManifest(request);
  if (reading?.state !== 'valid') return reading && { reading };
  const store = manifestStoreIn(request.bytes);
  const id = store && manifestsIn(store)?.at(-1)?.id;
  // What was judged has to be what is kept.
  if (!store || id === undefined || id !== reading.id) return { reading };
  const { softBindings } = reading;
  return { reading, kept: { id, store, ...(softBindings && { softBindings }) } };
}
