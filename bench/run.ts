import { globSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { basename, join } from 'node:path';

/**
 * `npm run bench [name …] [-- --write]`: runs the named benchmarks (all without a name), prints their tables and, with
 * --write, keeps them in docs/performance.md. Every benchmark exports `run(): Promise<string>`, a Markdown section.
 */
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const files = globSync('*.ts', { cwd: import.meta.dirname })
  .filter((file) => file !== 'run.ts')
  .filter((file) => names.length === 0 || names.includes(basename(file, '.ts')))
  .sort();

const sections: string[] = [];
for (const file of files) {
  const { run } = (await import(join(import.meta.dirname, file))) as { run(): Promise<string> };
  const section = await run();
  console.log(`${section}\n`);
  sections.push(section);
}
if (process.argv.includes('--write'))
  writeFileSync(join(import.meta.dirname, '../docs/performance.md'), page(sections));
process.exit(0);

function page(tables: string[]): string {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  return [
    '# Performance',
    '',
    'Made by `npm run bench -- --write`. Claims are ratios between rows of one run; the machine is shared and noisy, so single',
    `times mean little. Machine: ${machine}. Date: ${new Date().toISOString().slice(0, 10)}.`,
    '',
    ...tables.flatMap((table) => [table, '']),
  ].join('\n');
}
