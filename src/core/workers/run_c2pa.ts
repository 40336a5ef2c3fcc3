import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type ManifestRequest,
  type PreparedManifest,
  prepareManifest,
} from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { type ManifestReading, readManifest } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import { type TakenManifest, takeManifest } from '@atelier/imaging/provenance/c2pa/take_manifest.ts';

let module: Uint8Array | undefined;

/** Resolved from the engines, because the library is their dependency. */
const ENGINE = import.meta.resolve('@atelier/imaging/provenance/c2pa/open_c2pa.ts');

/** Reads the library's WebAssembly from its package. */
function wasm(): Uint8Array {
  module ??= readFileSync(createRequire(ENGINE).resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
  return module;
}

export const runReadManifest = (
  request: Omit<Parameters<typeof readManifest>[0], 'wasm'>,
): Promise<ManifestReading | undefined> => readManifest({ ...request, wasm: wasm() });

export const runTakeManifest = ({ bytes }: { bytes: Uint8Array }): Promise<TakenManifest | undefined> =>
  takeManifest({ bytes, wasm: wasm() });

export const runPrepareManifest = (request: Omit<ManifestRequest, 'wasm'>): Promise<PreparedManifest> =>
  prepareManifest({ ...request, wasm: wasm() });
