// Plain JavaScript, because an older Node must be able to read it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const NODE_MAJOR_MIN = 24;

/** Locations of an installed Node: development dependencies of a clone, an MCP bundle, and next to a release file. */
const PLACES = [
  '../node_modules/.bin/',
  '../node_modules/node/bin/',
  '../node_modules/atelier-node/bin/',
  '../../atelier-node/bin/',
  '../../node/bin/',
];

/** The Node to run the program with: the current one if it is new enough, otherwise one installed for Atelier; undefined if there is none. */
export function ownNode() {
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) return process.execPath;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return PLACES.map((folder) => fileURLToPath(new URL(folder + name, import.meta.url))).find((path) =>
    existsSync(path),
  );
}
