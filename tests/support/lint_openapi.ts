import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Lints a document with Redocly's recommended rules, except those disabled in redocly.yaml; returns the findings as text. */
export function lintOpenApi(document: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-openapi-'));
  try {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(document));
    const { status, stdout, stderr } = spawnSync(
      join(ROOT, 'node_modules/.bin/redocly'),
      [
        'lint',
        '--extends=recommended',
        '--config=redocly.yaml',
        '--max-problems=20',
        '--format=stylish',
        path,
      ],
      { cwd: ROOT, encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off' }, timeout: 60_000 },
    );
    const found = stdout.replaceAll(folder, '').trim();
    return status === 0 && found === '' ? '' : `${found}\n${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
