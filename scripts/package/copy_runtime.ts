import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A development dependency of a clone; other installations may use their own Node. */
const RUNTIME = 'node_modules/node';

/**
 * Its name as a separate package. It links no executable, so that it does not become the Node of another
 * program.
 */
export const RUNTIME_PACKAGE = 'atelier-node';

/**
 * Copies the Node of a clone into a folder, as a package with its licence.
 * @returns its version
 * @throws Error if it is not installed
 */
export function copyRuntime(root: string, place: string): string {
  const { version } = JSON.parse(readFileSync(join(root, RUNTIME, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The binary is for the platform it was installed on; the platform package has the licences.
  const [licence] = globSync(`${RUNTIME}/node_modules/node-*/LICENSE`, { cwd: root });
  if (!licence) throw new Error(`${RUNTIME} is not installed. Run "npm ci" first.`);
  mkdirSync(place, { recursive: true });
  cpSync(join(root, RUNTIME, 'bin'), join(place, 'bin'), { recursive: true });
  cpSync(join(root, licence), join(place, 'LICENSE'));
  const manifest = {
    name: RUNTIME_PACKAGE,
    version,
    private: true,
    description: 'The Node that Atelier runs on, for machines with an older one.',
    license: 'MIT',
    os: [process.platform],
    cpu: [process.arch],
  };
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest, null, 2));
  return version;
}
