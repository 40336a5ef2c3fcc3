#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to read it: it finds the Node the program needs and starts it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const words = process.argv.slice(2);
const isStart = words[0] === 'start';
const entry = fileURLToPath(new URL(isStart ? '../src/main.ts' : '../src/cli/main.ts', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  process.argv = [process.execPath, entry, ...words];
  await (isStart ? import('../src/main.ts') : import('../src/cli/main.ts'));
} else {
  runUnder(installedNode());
}

/** The Node that `npm ci` installed for this program. */
function installedNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const places = ['../node_modules/.bin/', '../node_modules/node/bin/'];
  const found = places
    .map((folder) => fileURLToPath(new URL(folder + name, import.meta.url)))
    .find((path) => existsSync(path));
  if (found) return found;
  console.error(
    `atelier needs Node ${NODE_MAJOR_MIN}; this is ${process.version}. Run "npm ci" in its folder, which installs the right one, or start it with a newer Node.`,
  );
  process.exit(1);
}

function runUnder(node) {
  const child = spawn(node, [entry, ...words], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; only this one hears the others.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}
