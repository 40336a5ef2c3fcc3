import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RUNS = [
  ['atelier_compact_x2', 6000, 4000, 'to 96 million pixels'],
  ['realesrgan_x4plus', 448, 448, 'its largest tile'],
  ['realesrgan_x4plus_anime', 448, 448, 'its largest tile'],
  ['realesr_animevideov3', 6000, 4000, 'to 384 million pixels'],
] as const;

/**
 * What a process of its own holds at most while it enlarges: the figure the kernel keeps (VmHWM), so Linux only. The last
 * row takes five minutes of two idle cores; it makes more than the service would, which stops at 100 million pixels.
 */
export async function run(): Promise<string> {
  const isHere = existsSync(new URL('../../shared/models/', import.meta.url));
  if (process.platform !== 'linux' || !isHere)
    return 'upscale_memory: skipped, needs Linux and ../shared/models';
  const lines: string[] = [];
  for (const [name, width, height, about] of RUNS) {
    const { seconds, peakMB } = await enlargedApart(name, width, height);
    lines.push(`| ${name} | ${width} × ${height} | ${about} | ${seconds.toFixed(0)} | ${peakMB} |`);
  }
  return [
    '## Memory of upscaling',
    '',
    'A process of its own enlarges a JPEG and writes PNG. The aim is less than 1500 MB at 6000 × 4000.',
    '',
    '| network | picture | | s | peak MB of the process |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function enlargedApart(
  name: string,
  width: number,
  height: number,
): Promise<{ seconds: number; peakMB: number }> {
  const main = fileURLToPath(new URL('peers/upscale_process.ts', import.meta.url));
  const start = performance.now();
  const child = spawn(process.execPath, [main, name, String(width), String(height)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
  });
  let told = '';
  child.stdout.on('data', (text) => {
    told += text;
  });
  await new Promise((ended) => child.on('exit', ended));
  return { seconds: (performance.now() - start) / 1000, peakMB: Number(told.trim()) };
}
