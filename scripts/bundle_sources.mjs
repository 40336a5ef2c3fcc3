import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUNDLE_FOLDER, describeFile, INPUTS_FILE, ROOT } from '../bin/bundle.mjs';

/** Entry point, loaded by `bin/atelier.mjs`. */
const ENTRY = 'src/interfaces/cli/main.ts';
/**
 * One file each; a module belongs to the first entry that imports it: the command line, then the parts of `src/main.ts` in load order: itself, the
 * code that starts the database thread, and the rest, which loads while the database opens.
 */
const PIECES = {
  cli: ENTRY,
  main: 'src/main.ts',
  database: 'src/features/operator/storage/open_data.ts',
  app: 'src/app.ts',
};
/**
 * Each has a top-level await for modules that must not wait for it in turn, so these modules get files of
 * their own.
 */
const PROGRAMS = [PIECES.cli, PIECES.main];
/** Written by npm at each installation. */
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json');
/**
 * Packages that load native libraries, threads or files relative to themselves, one that assigns to `import.meta.url`, and one under
 * the LGPL, which must stay replaceable.
 */
const EXTERNAL = /^(@electric-sql\/pglite|@jsquash\/jxl|libheif-js|onnxruntime-|pino|sharp|pg)(\/|$)/;

/**
 * Bundles the sources and most of the packages they load into a few files, which `bin/atelier.mjs` loads until a source changes: finding, reading
 * and linking 1,500 modules takes longer than running them. See docs/decisions/0020-image-processes-and-fixed-costs.md. Without Rolldown, a development
 * dependency, there is no bundle and the sources are loaded as they are.
 */
export async function bundleSources() {
  rmSync(BUNDLE_FOLDER, { recursive: true, force: true });
  const rolldown = await import('rolldown').catch(() => undefined);
  if (!rolldown) return;
  mkdirSync(dirname(BUNDLE_FOLDER), { recursive: true });
  const draft = mkdtempSync(`${BUNDLE_FOLDER}-`);
  try {
    await writeBundle(rolldown, draft);
    renameSync(draft, BUNDLE_FOLDER);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** @param folder receives the files */
export async function writeBundle({ rolldown }, folder) {
  const found = new Map();
  const bundle = await rolldown({
    cwd: ROOT,
    input: { main: join(ROOT, ENTRY) },
    platform: 'node',
    preserveEntrySignatures: false,
    external: EXTERNAL,
    plugins: [keepPlaces(), noteModules(found)],
    onLog: (level, log) => {
      if (level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') console.warn(log.message);
    },
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: Object.entries(PIECES).map(([name, file], index) => ({
        name,
        test: (id) => pieceOf(found, join(ROOT, file)).has(id) && !PROGRAMS.includes(relative(ROOT, id)),
        priority: 100 - index,
      })),
    },
  });
  await bundle.close();
  const sources = [...found.keys()].filter((id) => id.startsWith(ROOT) && !id.includes('/node_modules/'));
  const inputs = Object.fromEntries(
    [INSTALLED, ...sources].map((id) => [relative(ROOT, id), describeFile(id)]),
  );
  writeFileSync(join(folder, INPUTS_FILE), JSON.stringify({ root: ROOT, inputs }));
}

const pieces = new Map();

/** A module and what it imports statically. */
function pieceOf(found, start) {
  const known = pieces.get(start);
  if (known) return known;
  const piece = new Set([start]);
  for (const id of piece) for (const imported of found.get(id)?.importedIds ?? []) piece.add(imported);
  pieces.set(start, piece);
  return piece;
}

const noteModules = (found) => ({
  name: 'note-modules',
  moduleParsed(info) {
    found.set(info.id, info);
  },
});

/** A module finds its data files relative to its source, wherever the bundle is. */
const keepPlaces = () => ({
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta/ },
    handler(code, id) {
      const places = { url: pathToFileURL(id).href, dirname: dirname(id), filename: id };
      return code.replaceAll(/\bimport\.meta\.(url|dirname|filename)\b/g, (_, name) =>
        JSON.stringify(places[name]),
      );
    },
  },
});
