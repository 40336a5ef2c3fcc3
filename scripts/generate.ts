import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { analysisReference } from '../src/catalogue/analysis_reference.ts';
import { errorsReference, settingsReference, toolsReference } from '../src/catalogue/reference.ts';
import { readConfig } from '../src/config.ts';
import { SETTINGS } from '../src/settings.ts';
import { tools } from '../src/tools/index.ts';

// Writes docs/reference from the lists the service runs on. `--check` changes nothing and fails when a page is old.

const FOLDER = resolve(import.meta.dirname, '../docs/reference');
const MARK = '<!-- Made by "npm run generate"; changes belong in the code it is made from. -->\n\n';

const pages: Record<string, string> = {
  'tools.md': toolsReference(tools),
  'analysis_fields.md': analysisReference(),
  'errors.md': errorsReference(),
  'settings.md': settingsReference(settings()),
};

const isCheck = process.argv.includes('--check');
const old: string[] = [];
for (const [name, text] of Object.entries(pages)) {
  const path = resolve(FOLDER, name);
  const isCurrent = (await readFile(path, 'utf8').catch(() => '')) === MARK + text;
  if (isCurrent) continue;
  old.push(name);
  if (isCheck) continue;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path, MARK + text);
}

if (isCheck && old.length > 0) {
  console.error(
    `docs/reference is older than the code: ${old.join(', ')}. Run "npm run generate" and commit the result.`,
  );
  process.exitCode = 1;
} else {
  console.log(old.length === 0 ? 'docs/reference is current' : `wrote ${old.join(', ')}`);
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
