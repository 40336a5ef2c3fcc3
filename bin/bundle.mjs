import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url)).replace(/[\\/]$/, '');
/** What scripts/bundle_sources.mjs makes. */
export const BUNDLE_FOLDER = join(ROOT, 'node_modules/.cache/atelier/bundle');
export const INPUTS_FILE = 'inputs.json';

/** The bundled program. Undefined where there is none, or a source has changed since it was made. */
export function freshBundle() {
  try {
    const { root, inputs } = JSON.parse(readFileSync(join(BUNDLE_FOLDER, INPUTS_FILE), 'utf8'));
    if (root !== ROOT) return undefined;
    for (const path in inputs) if (describeFile(join(ROOT, path)) !== inputs[path]) return undefined;
    return join(BUNDLE_FOLDER, 'main.mjs');
  } catch {
    return undefined;
  }
}

/** Time of the last change, and size. */
export function describeFile(path) {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs} ${size}`;
}
