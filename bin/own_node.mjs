// Plain JavaScript, because an older Node must be able to read it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const NODE_MAJOR_MIN = 24;

/** With the development dependencies of a clone, in an MCP bundle, and beside a release file: installed from its own file or from a registry. */
const PLACES = [
  '../node_modules/.bin/',
  '../node_modules/node/bin/',
  '../node_modules/atelier-node/bin/',
  '../../atelier-node/bin/',
  '../../node/bin/',
];

/** The Node this program runs on: this one where it is new enough, else one that was installed for it; undefined where there is none. */
export function ownNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return PLACES.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url))).find((path) =>
    existsSync(path),
  );
}
