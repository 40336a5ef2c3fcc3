#!/usr/bin/env node
// Plain JavaScript, because an older Node must be able to read it: it finds the Node the program needs and starts it.
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
/** Compiled sources are kept for threads and processes. */
const LEAN = { ...ALLOCATOR, NODE_COMPILE_CACHE: pathOf('../node_modules/.cache/atelier/compiled') };

// npm, or an older Node below, has started this one, and may die without passing the signal on.
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

/** An installation that was interrupted would start, and fail at the first call that needs what is missing. */
function requirePackages() {
  const missing = declaredPackages().filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const way = isClone
    ? 'Run "npm ci" in its folder'
    : 'Install it again with "npm install" and the file of the release';
  console.error(`Atelier is only partly installed: ${missing.slice(0, 5).join(', ')} missing. ${way}.`);
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
    `Atelier needs Node ${NODE_MAJOR_MIN} or newer; this is ${process.version}. Put a newer Node first on the PATH, or ${way}: it is used by Atelier alone.`,
  );
  process.exit(1);
}

async function runUnder(node) {
  const { spawn } = await import('node:child_process');
  const env = { ...LEAN, ...process.env, ATELIER_LAUNCHER: String(process.pid) };
  const child = spawn(node, [fileURLToPath(import.meta.url), ...words], { stdio: 'inherit', env });
  // Only this one hears what is not sent by a terminal; hearing Ctrl-C twice does no harm.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

/** Puts a process with LEAN in the place of this one, where the system can; what somebody set stays as it is. */
function becomeLean() {
  if (!process.execve || Object.keys(LEAN).every((name) => process.env[name] !== undefined)) return;
  const command = [process.execPath, ...process.execArgv, process.argv[1], ...words];
  process.execve(process.execPath, command, { ...LEAN, ...process.env });
}

/**
 * Our own files name each other by their whole paths, so there is nothing to look for: looking took a fifth of the time in which the
 * sources are loaded.
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

/** A server whose parent is gone would keep its port and its folder, and nobody would know of it. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
