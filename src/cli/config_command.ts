import { type Config, SETTINGS } from '../config.ts';
import { type Output, printable, table } from './terminal.ts';

/** `atelier config`: every setting with its value now and its meaning. Secrets are not shown. */
export function configCommand(config: Config, stdout: Output): number {
  const rows = Object.entries(SETTINGS).map(([name, [, meaning]]) => [
    name,
    printable(valueText(name, config[name as keyof Config])),
    meaning,
  ]);
  stdout.write(table(rows, stdout));
  return 0;
}

function valueText(name: string, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '(not set)';
  if (/SECRET|_KEY$/.test(name)) return '(hidden)';
  if (name === 'DATABASE_URL') return withoutPassword(String(value));
  return Array.isArray(value) ? value.join(',') : String(value);
}

function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return '(hidden)';
  const url = new URL(text);
  return `${url.protocol}//${url.username ? `${url.username}@` : ''}${url.host}${url.pathname}`;
}
