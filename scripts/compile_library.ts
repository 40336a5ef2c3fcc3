/** `npm pack` in a package: its sources as JavaScript, with declarations and source maps, in its `dist/`. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const place = process.cwd();
const root = fileURLToPath(new URL('../', import.meta.url));
const made = join(place, 'dist');

// Output of renamed sources would be packed too.
rmSync(made, { recursive: true, force: true });
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: place,
  stdio: 'inherit',
});
for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(made, name));
