import { readFileSync } from 'node:fs';

const PACKAGE = new URL('../../package.json', import.meta.url);

/** The version of this program and of the Node it runs on. */
export function version(): string {
  const { version: ours } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return `atelier ${ours} (Node ${process.versions.node})`;
}
