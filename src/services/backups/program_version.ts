import { readFileSync } from 'node:fs';

/** The version of this program, as its package says it. */
export function programVersion(): string {
  const description = new URL('../../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(description, 'utf8')) as { version: string }).version;
}
