#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to read it. Finds a suitable Node and starts the program with it.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshBundle } from './bundle.mjs';
import { ALLOCATOR } from './environment.mjs';
import { NODE_MAJOR_MIN, ownNode } from './own_node.mjs';

const words = process.argv.slice(2);
const pathOf = (place) => fileURLToPath(new URL(place, import.meta.url));

const OWN = new URL('../', import.meta.url).href;
const isClone = !OWN.includes('/node_modules/');
/** Compile cache, for threads and processes. */
const LEAN = { ...ALLOCATOR, NODE_COMPILE_CACHE: pathOf('../node_modules/.cache/atelier/compiled') };

// The parent (npm, or an older Node) may die without forwarding the signal.
const isService = ['start', 'worker'].includes(words[0]);
if (isService && (process.env.npm_lifecycle_event || process.env.ATELIER_LAUNCHER)) stopWithParent();

const node = ownNode();
if (node === process.execPath) {
  requirePackages();
  if (isService) becomeLean();
  module.enableCompileCache(LEAN.NODE_COMPILE_CACHE);
  process.argv[1] = pathOf('../src/interfaces/cli/main.ts');
  const bundle = freshBundle();
  if (bundle) {
    await import(pathToFileURL(bundle).href);
  } else {
    module.registerHooks({ resolve: resolveOwn });
    await import('../src/interfaces/cli/main.ts');
  }
} else {
  await runUnder(node ?? refuse());
}

/** An incomplete installation would start, then fail at the first call that needs a missing package. */
function requirePackages() {
  const missing = declaredPackages().filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const way = isClone
    ? 'Run "npm ci" in its folder'
    : 'Install it again with "npm install" and the release file';
  console.error(
    `The installation of Atelier is incomplete: ${missing.slice(0, 5).join(', ')} missing. ${way}.`,
  );
  process.exit(1);
}

function isInstalled(name) {
  try {
    return module.findPackageJSON(name, import.meta.url) !== undefined;
  } catch {
    return false;
  }
}

function declaredPackages() {
  try {
    return Object.keys(JSON.parse(readFileSync(pathOf('../package.json'), 'utf8')).dependencies);
  } catch {
    return [];
  }
}

function refuse() {
  const way = isClone
    ? 'run "npm ci" without --omit=dev in its folder'
    : `run "npm install node@${NODE_MAJOR_MIN}" where you installed it, or install the file atelier-node-… of its release there`;
  console.error(
    `Atelier needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}. Put a newer Node first on the PATH, or ${way}: only Atelier uses it.`,
  );
  process.exit(1);
}

async function runUnder(node) {
  const { spawn } = await import('node:child_process');
  const env = { ...LEAN, ...process.env, ATELIER_LAUNCHER: String(process.pid) };
  const child = spawn(node, [fileURLToPath(import.meta.url), ...words], { stdio: 'inherit', env });
  // Only this process receives signals that do not come from a terminal; receiving Ctrl-C twice is harmless.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

/** Replaces this process by one with the variables of LEAN, if the system supports that. Variables that are already set keep their value. */
function becomeLean() {
  if (!process.execve || Object.keys(LEAN).every((name) => process.env[name] !== undefined)) return;
  const command = [process.execPath, ...process.execArgv, process.argv[1], ...words];
  process.execve(process.execPath, command, { ...LEAN, ...process.env });
}

/**
 * Project files import each other by complete paths, so no lookup is needed: lookups took a fifth of the time to load the sources.
 */
function resolveOwn(specifier, context, next) {
  const { parentURL } = context;
  if (
    !/^\.{1,2}\/.*\.ts$/.test(specifier) ||
    !parentURL?.startsWith(OWN) ||
    parentURL.includes('/node_modules/', OWN.length)
  )
    return next(specifier, context);
  return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
}

/** A server without its parent would silently keep its port and its folder. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
