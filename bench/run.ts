import { globSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';

/**
 * `npm run bench [name …]`: runs the named benchmarks, or all, and prints their tables with the date and the
 * machine, for docs/performance.md. Every benchmark exports `run(): Promise<string>`, a Markdown section.
 */
const names = process.argv.slice(2);
const all = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'run')
  .sort();
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0)
  throw new Error(`There is no benchmark ${unknown.join(', ')}. There are: ${all.join(', ')}.`);

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
console.log(`${new Date().toISOString().slice(0, 10)}, ${machine}\n`);
for (const name of names.length > 0 ? names : all) {
  const { run } = (await import(join(import.meta.dirname, `${name}.ts`))) as { run(): Promise<string> };
  console.log(`${await run()}\n`);
}
process.exit(0);
