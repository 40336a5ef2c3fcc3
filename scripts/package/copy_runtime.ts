import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A development dependency of a clone; what runs elsewhere may have a Node of its own. */
const RUNTIME = 'node_modules/node';

/** Its name as a package of its own. It links no program, so that it is no other program's Node. */
export const RUNTIME_PACKAGE = 'atelier-node';

/**
 * Copies the Node that a clone runs on into a folder, as a package with its licence.
 * @returns its version
 * @throws Error where it is not installed
 */
export function copyRuntime(root: string, place: string): string {
  const { version } = JSON.parse(readFileSync(join(root, RUNTIME, 'package.json'), 'utf8')) as {
    version: string;
  };
  // For the kind of machine it was installed on; its package has the licences.
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
