import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { analysisReference } from '../src/catalog/analysis_reference.ts';
import { clientTypes } from '../src/catalog/client_types.ts';
import { pythonModules } from '../src/catalog/python_types.ts';
import {
  errorsReference,
  eventsReference,
  metricsReference,
  museumsReference,
  settingsReference,
  toolsReference,
} from '../src/catalog/reference.ts';
import { readConfig } from '../src/config/config.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { METRICS } from '../src/core/telemetry/metrics.ts';
import { IMPORTERS } from '../src/features/artworks/museums/importers.ts';
import { tools as always, optionalTools } from '../src/features/tools.ts';
import { EVENTS } from '../src/features/webhooks/routes/events.ts';

// Writes the files that are generated from the definitions in the code. `--check` changes nothing and fails if a file is outdated.

/** All tools, including those that a server offers only if they are configured. */
const tools = [...always, ...optionalTools];

const ROOT = resolve(import.meta.dirname, '..');
const ORIGIN = 'Made by "npm run generate"; changes belong in the code it is made from.';
const page = (text: string) => `<!-- ${ORIGIN} -->\n\n${text}`;

const python = pythonModules(tools);

const files: Record<string, string> = {
  'docs/reference/tools.md': page(toolsReference(tools)),
  'docs/reference/analysis_fields.md': page(analysisReference()),
  'docs/reference/errors.md': page(errorsReference()),
  'docs/reference/events.md': page(eventsReference(EVENTS)),
  'docs/reference/metrics.md': page(
    metricsReference(Object.entries(METRICS).map(([name, metric]) => ({ name, ...metric }))),
  ),
  'docs/reference/museums.md': page(museumsReference(IMPORTERS)),
  'docs/reference/settings.md': page(settingsReference(settings())),
  'packages/client/src/tools.ts': `// ${ORIGIN}\n\n${clientTypes(tools)}`,
  'packages/python/atelier_client/types.py': `# ${ORIGIN}\n\n${python.types}`,
  'packages/python/atelier_client/tools.py': `# ${ORIGIN}\n\n${python.tools}`,
};

const isCheck = process.argv.includes('--check');
const old: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const path = resolve(ROOT, name);
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
  old.push(name);
  if (isCheck) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

if (isCheck && old.length > 0) {
  console.error(`Outdated: ${old.join(', ')}. Run "npm run generate" and commit the result.`);
  process.exitCode = 1;
} else {
  console.log(old.length === 0 ? 'All generated files are current' : `wrote ${old.join(', ')}`);
}

/** Every setting with the default that an empty environment gives. */
function settings() {
  const defaults: Record<string, unknown> = readConfig({});
  return Object.entries(SETTINGS).map(([name, [, meaning]]) => ({
    name,
    fallback: String(defaults[name] ?? ''),
    meaning,
  }));
}
