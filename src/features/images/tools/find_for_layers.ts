import { createHash } from 'node:crypto';
import { allLayers, type Layer } from '@atelier/imaging/composer/layers.ts';
import type { Findings } from '@atelier/imaging/editor/context.ts';
import type { Pixels, SourceImage } from '../../../core/workers/types.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { cubesOf, findForOperations } from './find_for_operations.ts';

interface FoundForLayers {
  /** Images by their names in layers; where the background is removed, the result replaces the original. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: Readonly<Record<string, Findings>>;
  readonly degradation: { readonly degraded: boolean; readonly degraded_reason?: string };
}

/** Cached searches: masks of large images are some megabytes each. */
const SEARCHES_KEPT_MAX = 16;

/**
 * Engines with a cache of detections for one call, because layers and documents repeat their images.
 */
export function searchingOnce(pixels: Pick<Pixels, 'run'>): Pick<Pixels, 'run'> {
  const digests = new WeakMap<Uint8Array, string>();
  const kept = new Map<string, Promise<unknown>>();
  const digestOf = (bytes: Uint8Array): string => {
    const digest = digests.get(bytes) ?? createHash('sha256').update(bytes).digest('base64');
    digests.set(bytes, digest);
    return digest;
  };
  const searched: Pixels['run'] = (engine, input, control) => {
    const { bytes, ...wanted } = input as { readonly bytes: Uint8Array };
    const key = `${engine} ${digestOf(bytes)} ${JSON.stringify(wanted)}`;
    const found =
      (kept.get(key) as ReturnType<typeof pixels.run<typeof engine>>) ?? pixels.run(engine, input, control);
    kept.set(key, found);
    if (kept.size > SEARCHES_KEPT_MAX) kept.delete(kept.keys().next().value!);
    return found;
  };
  return { run: searched };
}

/** Detects the areas that operations of layers refer to. @throws as `findForOperations` does */
export async function findForLayers(
  layers: readonly Layer[],
  images: Readonly<Record<string, SourceImage>>,
  services: Pick<Services, 'models' | 'images'> & { readonly pixels: Pick<Pixels, 'run'> },
  call: CallContext,
): Promise<FoundForLayers> {
  const files = Object.fromEntries(Object.entries(images).map(([name, { bytes }]) => [name, bytes]));
  const texts: Record<string, string> = {};
  const findings: Record<string, Findings> = {};
  let degradation: FoundForLayers['degradation'] = { degraded: false };
  for (const layer of allLayers(layers)) {
    const { operations = [] } = layer;
    if (operations.length === 0) continue;
    const path = layer.type === 'image' ? `${layer.image}.operations` : 'layers';
    Object.assign(texts, await cubesOf(operations, services, call, path));
    const image = layer.type === 'image' ? images[layer.image] : undefined;
    if (!image || layer.type !== 'image') continue;
    const wanted = { image, operations, path, isAnimated: false };
    const { bytes, findings: found, ...degraded } = await findForOperations(wanted, services, call);
    files[layer.image] = bytes;
    findings[layer.image] = found;
    if (degraded.degraded) degradation = degraded;
  }
  return { files, texts, findings, degradation };
}
