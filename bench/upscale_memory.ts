import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What a process of its own holds at most while it enlarges a large picture four times with the smallest network: the
 * figure the kernel keeps (VmHWM), so Linux only.
 */
export async function run(): Promise<string> {
  const isHere = existsSync(new URL('../../shared/models/', import.meta.url));
  if (process.platform !== 'linux' || !isHere)
    return 'upscale_memory: skipped, needs Linux and ../shared/models';
  const lines: string[] = [];
  for (const [width, height] of [
    [1500, 1000],
    [6000, 4000],
  ] as const) {
    const { seconds, peakMB } = await enlargedApart(width, height);
    lines.push(`| ${width} × ${height} | ${width * 4} × ${height * 4} | ${seconds.toFixed(0)} | ${peakMB} |`);
  }
  return [
    '## Memory of upscaling',
    '',
    'A process of its own enlarges a JPEG four times with the smallest network and writes PNG. The aim is less than 1500 MB at 6000 × 4000.',
    '',
    '| picture | enlarged | s | peak MB of the process |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function enlargedApart(width: number, height: number): Promise<{ seconds: number; peakMB: number }> {
  const main = fileURLToPath(new URL('peers/upscale_process.ts', import.meta.url));
  const start = performance.now();
  const child = spawn(process.execPath, [main, String(width), String(height)], {
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
