import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../', import.meta.url)).replace(/[\\/]$/, '');
/** Output of scripts/bundle_sources.mjs. */
export const BUNDLE_FOLDER = join(ROOT, 'node_modules/.cache/atelier/bundle');
export const INPUTS_FILE = 'inputs.json';

/** The bundled program. Undefined if there is none, or a source has changed since. */
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

/** Modification time and size. */
export function describeFile(path) {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs} ${size}`;
}
