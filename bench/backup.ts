import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { blobName } from '../src/services/blobs/blob_name.ts';
import { openData } from '../src/services/storage/open.ts';
import { spawnProgram } from '../tests/support/spawn_program.ts';
import { startService } from '../tests/support/start_service.ts';

const ROWS = 100_000;
/** 5 GB in blobs of a megabyte. */
const BLOBS = Number(process.env.BENCH_BLOBS ?? 5_000);
const BLOB_BYTES = 1_000_000;
const ROW_CHARACTERS = 700;

/** A backup of 100,000 rows and 5 GB beside a server that is written to, the next one, a check and a restore; beside copying the folder (`cp -a`). */
export async function run(): Promise<string> {
  const place = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'atelier-bench-'));
  const [dataDir, backups] = [join(place, 'data'), join(place, 'backups')];
  try {
    await fill(dataDir);
    const copied = await measured(async () => {
      execFileSync('cp', ['-a', dataDir, join(place, 'copy')]);
      execFileSync('sync', ['-f', place]);
    });
    rmSync(join(place, 'copy'), { recursive: true });
    const service = await startService({ DATA_DIR: dataDir });
    const first = await besideCalls(service.url, () => atelier(['backup', backups], dataDir));
    const second = await besideCalls(service.url, () => atelier(['backup', backups], dataDir));
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
    const check = await atelier(['backup', backups, '--check'], dataDir);
    const restore = await atelier(['restore', backups], join(place, 'restored'));
    const rows = [
      row('cp -a of the stopped server', { seconds: copied, peakMiB: 0 }, copied),
      row('first backup, beside a server', first, copied),
      row('second backup, beside a server', second, copied),
      row('check', check, copied),
      row('restore', restore, copied),
    ];
    return `## Backup and restore\n\n${ROWS} rows and ${BLOBS} blobs of ${BLOB_BYTES} bytes on the embedded database, while posts are read and wallets registered one after the other. Memory: the most the command held.\n\n| | seconds | × cp -a | memory, MiB | calls meanwhile: median, slowest, ms |\n|---|---|---|---|---|\n${rows.join('\n')}`;
  } finally {
    rmSync(place, { recursive: true });
  }
}

interface Ran {
  readonly seconds: number;
  readonly peakMiB: number;
  readonly calls?: readonly number[];
}

function row(what: string, { seconds, peakMiB, calls }: Ran, base: number): string {
  const sorted = [...(calls ?? [])].sort((a, b) => a - b);
  const waited = calls
    ? `${sorted[sorted.length >> 1]!.toFixed(0)}, ${sorted.at(-1)!.toFixed(0)} (of ${sorted.length})`
    : '';
  return `| ${what} | ${seconds.toFixed(1)} | ${(seconds / base).toFixed(2)} | ${peakMiB || ''} | ${waited} |`;
}

/** Assets that name the blobs in turn. */
async function fill(dataDir: string): Promise<void> {
  const bytes = randomBytes(BLOB_BYTES);
  const names = Array.from({ length: BLOBS }, (_, number) => {
    bytes.writeUInt32BE(number);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(dataDir, 'blobs', blobName(sha256));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return sha256;
  });
  const database = await openData(readConfig({ DATA_DIR: dataDir }));
  await database.query(
    `insert into assets (wallet, key, content_type, size_bytes, sha256, metadata)
     select '0x' || lpad(to_hex(n / 100), 40, '0'), 'key ' || n, 'image/png', $3, ($1::text[])[1 + n % $2],
       json_build_object('words', repeat(md5(n::text), $4 / 32))::text
     from generate_series(1, $5) n`,
    [names, BLOBS, BLOB_BYTES, ROW_CHARACTERS, ROWS],
  );
  await database.close();
}

async function measured(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

/** Runs a command, and looks at the most memory it held. */
async function atelier(words: string[], dataDir: string): Promise<Ran> {
  let peakMiB = 0;
  const seconds = await measured(async () => {
    const command = spawnProgram(['src/cli/main.ts', ...words], { DATA_DIR: dataDir, DATABASE_URL: '' });
    command.stdout.resume();
    const look = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${command.pid}/status`, 'utf8');
        peakMiB = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024) || peakMiB;
      } catch {
        // It has just ended.
      }
    }, 100);
    const [code] = await once(command, 'exit');
    clearInterval(look);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
  });
  return { seconds, peakMiB };
}

/** The same while a caller reads and writes. */
async function besideCalls(url: string, work: () => Promise<Ran>): Promise<Ran> {
  const calls: number[] = [];
  let isRunning = true;
  const calling = (async () => {
    for (let number = 0; isRunning; number += 1) {
      const from = performance.now();
      const wallet = `0x${(Date.now() * 1000 + number).toString(16).padStart(40, '0')}`;
      const body = JSON.stringify({ wallet });
      await (await fetch(`${url}/api/wallet/register`, { method: 'POST', body })).arrayBuffer();
      await (await fetch(`${url}/api/cafe/feed`)).arrayBuffer();
      calls.push(performance.now() - from);
      await sleep(20);
    }
  })();
  const ran = await work().finally(() => {
    isRunning = false;
  });
  await calling;
  return { ...ran, calls };
}
