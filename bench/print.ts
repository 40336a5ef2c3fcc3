import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { photo } from './support/photo.ts';

const ROUNDS = 3;
const SHEET = fileURLToPath(new URL('./peers/print_sheet.ts', import.meta.url));
const PROFILE = fileURLToPath(
  new URL('../src/services/press_profiles/shipped/coated_fogra39.icc', import.meta.url),
);

/** An A3 sheet at 300 dpi from a photograph, a process each, against ImageMagick doing the same: time and memory. */
export async function run(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-bench-'));
  const art = join(folder, 'art.jpg');
  await writeFile(art, await photo(2480, 1754));
  const out = (name: string) => join(folder, name);
  const convert = (format: string, file: string) =>
    `${art} -resize 5031x3579^ -gravity center -extent 5031x3579 -profile ${folder}/srgb.icc -profile ${PROFILE} -units PixelsPerInch -density 300 -compress ${format} ${file}`.split(
      ' ',
    );
  const rows: [string, string, string[]][] = [
    ['ours, TIFF (LZW)', process.execPath, [SHEET, art, out('a.tiff'), 'tiff', '420', '297', '300']],
    ['ours, PDF/X-4', process.execPath, [SHEET, art, out('a.pdf'), 'pdf', '420', '297', '300']],
    ['ImageMagick, TIFF (LZW)', 'convert', convert('lzw', out('b.tiff'))],
    [
      'ours, poster 24 × 36 in at 600 dpi, TIFF',
      process.execPath,
      [SHEET, art, out('p.tiff'), 'tiff', '914.4', '609.6', '600'],
    ],
  ];
  const hasPeer = spawnSync('convert', ['-version']).stdout?.toString().includes('ImageMagick');
  if (hasPeer) await writeFile(out('srgb.icc'), await srgbProfile());
  const lines: string[] = [];
  for (const [name, command, words] of rows) {
    if (command === 'convert' && !hasPeer) continue;
    const rounds = name.includes('poster') ? 1 : ROUNDS;
    const runs: { ms: number; mib: number }[] = [];
    const made = words.find((word) => /[abp]\.(tiff|pdf)$/.test(word))!;
    for (let round = 0; round < rounds; round += 1) {
      await rm(made, { force: true });
      runs.push(await measured(command, words));
    }
    const best = runs.reduce((one, other) => (one.ms < other.ms ? one : other));
    const { size } = await stat(made);
    lines.push(
      `| ${name} | ${(best.ms / 1000).toFixed(1)} | ${best.mib.toFixed(0)} | ${(size / 2 ** 20).toFixed(1)} |`,
    );
  }
  await rm(folder, { recursive: true });
  return [
    '## Sheets for print',
    '',
    `A3 with 3 mm bleed at 300 dpi (5031 × 3579 pixels, 72 MB of ink) from a photograph of 2480 × 1754; a process each, its start included, best of ${ROUNDS}. ImageMagick has the same profile and adds no bleed, marks or report.`,
    '',
    '| | seconds | peak MiB | file MiB |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function srgbProfile(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const made = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .withIccProfile('srgb')
    .png()
    .toBuffer();
  return (await sharp(made).metadata()).icc!;
}

/** Wall time and the most memory the process held, which Linux tells while it lives. */
function measured(command: string, words: string[]): Promise<{ ms: number; mib: number }> {
  const started = performance.now();
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  let mib = 0;
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'latin1').catch(() => '');
    mib = Math.max(mib, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  }, 20);
  return new Promise((resolve, reject) =>
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code) reject(new Error(`${command} ended with ${code}`));
      else resolve({ ms: performance.now() - started, mib });
    }),
  );
}
