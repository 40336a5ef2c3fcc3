/**
 * Runs after a release file was installed: what `npm ci` runs in a clone, under the Node that runs the
 * program. Plain JavaScript, because an older Node starts it. Optional: without it the first start does the
 * same.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownNode } from '../bin/own_node.mjs';

for (const name of ['prune_libraries', 'prepare_database', 'compile_sources'])
  spawnSync(ownNode() ?? process.execPath, [fileURLToPath(new URL(`./${name}.mjs`, import.meta.url))], {
    stdio: 'inherit',
  });
