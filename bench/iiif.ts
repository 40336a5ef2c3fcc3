import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { readConfig } from '../src/config/config.ts';
import { openDataset } from '../src/features/artworks/open_dataset.ts';
import { photo } from './support/photo.ts';
import { type BenchServer, startServer } from './support/server.ts';

const WIDTH = 6000;
const HEIGHT = 4500;
const TILE = 512;
const BOUND_MS = 40;
const ID = 'met_1';

type Row = readonly [name: string, times: readonly number[]];

interface Tile {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly factor: number;
}

/**
 * Tiles of a large image in the order of a viewer, compared with libvips cutting the same tiles in this
 * process.
 */
export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'));
  const jpeg = await photo(WIDTH, HEIGHT);
  const museum = createServer((_, response) => response.setHeader('Content-Type', 'image/jpeg').end(jpeg));
  await new Promise<void>((resolve) => museum.listen(0, '127.0.0.1', resolve));
  await importWork(folder);
  const server = await startServer('src/main.ts', {
    DATA_DIR: folder,
    ALLOW_PRIVATE_FETCH: 'true',
    MUSEUM_MIRROR: `http://127.0.0.1:${(museum.address() as AddressInfo).port}`,
  });
  try {
    const opened = await timed(() => read(`${server.url}/iiif/3/${ID}/info.json`));
    return page(jpeg.length, opened, await rowsOf(server, jpeg, folder));
  } finally {
    await server.stop();
    museum.close();
    rmSync(folder, { recursive: true });
  }
}

async function importWork(folder: string): Promise<void> {
  const path = join(folder, 'work.jsonl');
  const work = {
    objectID: 1,
    isPublicDomain: true,
    title: 'A field',
    primaryImage: 'https://images.test/1.jpg',
  };
  writeFileSync(path, JSON.stringify(work));
  const dataset = await openDataset(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  const { signal } = new AbortController();
  await dataset.import({ museum: 'met', path, isPart: true, signal, onProgress() {} });
  await dataset.close();
}

async function rowsOf(server: BenchServer, jpeg: Buffer, folder: string) {
  const tiles = [1, 2, 4, 8].flatMap(tilesAt);
  const ask = (tile: Tile) => read(`${server.url}/iiif/3/${ID}/${address(tile)}`);
  // The first tiles of each are slow in any program: code is loaded and compiled.
  for (const tile of tiles.slice(0, 8)) await ask(tile);
  const rest = tiles.slice(8);
  const [one, four] = [rest.filter((_, at) => at % 2 === 0), rest.filter((_, at) => at % 2 === 1)];
  const pyramid = join(folder, 'peer.tif');
  await sharp(jpeg)
    .tiff({ tile: true, tileWidth: TILE, tileHeight: TILE, pyramid: true, compression: 'jpeg', quality: 90 })
    .toFile(pyramid);
  sharp.concurrency(1);
  sharp.cache(false);
  const before = process.cpuUsage();
  const peer = await timesOf(one, 1, (tile) => cutFromPyramid(pyramid, tile));
  const { user, system } = process.cpuUsage(before);
  const ours = server.cpuMs();
  const first = await timesOf(one, 1, ask);
  const cpu = { ours: (server.cpuMs() - ours) / one.length, peer: (user + system) / 1000 / one.length };
  const rows: Row[] = [
    ['Atelier over HTTP, made for the first time, one at a time', first],
    ['Atelier over HTTP, made for the first time, four at a time', await timesOf(four, 4, ask)],
    ['Atelier over HTTP, made before, four at a time', await timesOf(four, 4, ask)],
    ['libvips in one process, from the same pyramid', peer],
    [
      'libvips in one process, from the JPEG',
      await timesOf(
        one.filter((_, at) => at % 4 === 0),
        1,
        (tile) => cut(sharp(jpeg), tile),
      ),
    ],
  ];
  return { rows, cpu };
}

function tilesAt(factor: number): Tile[] {
  const reach = TILE * factor;
  const tiles: Tile[] = [];
  for (let top = 0; top < HEIGHT; top += reach)
    for (let left = 0; left < WIDTH; left += reach)
      tiles.push({
        left,
        top,
        factor,
        width: Math.min(reach, WIDTH - left),
        height: Math.min(reach, HEIGHT - top),
      });
  return tiles;
}

const sizeOf = ({ width, height, factor }: Tile) => ({
  width: Math.ceil(width / factor),
  height: Math.ceil(height / factor),
});

function address(tile: Tile): string {
  const { width, height } = sizeOf(tile);
  return `${tile.left},${tile.top},${tile.width},${tile.height}/${width},${height}/0/default.jpg`;
}

const cut = (picture: Sharp, tile: Tile) =>
  picture
    .extract({ left: tile.left, top: tile.top, width: tile.width, height: tile.height })
    .resize({ ...sizeOf(tile), fit: 'fill' })
    .jpeg({ quality: 85, optimizeCoding: false })
    .toBuffer();

function cutFromPyramid(path: string, { left, top, width, height, factor }: Tile): Promise<Buffer> {
  const [x, y] = [left / factor, top / factor];
  const full = { width: Math.floor(WIDTH / factor), height: Math.floor(HEIGHT / factor) };
  return cut(sharp(path, { page: Math.log2(factor) }), {
    left: x,
    top: y,
    factor: 1,
    width: Math.min(Math.ceil(width / factor), full.width - x),
    height: Math.min(Math.ceil(height / factor), full.height - y),
  });
}

async function read(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds of each, in ascending order. */
async function timesOf(tiles: readonly Tile[], atOnce: number, work: (tile: Tile) => Promise<unknown>) {
  const waiting = [...tiles];
  const times: number[] = [];
  const worker = async () => {
    for (let tile = waiting.shift(); tile; tile = waiting.shift()) {
      const next = tile;
      times.push(await timed(() => work(next)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return times.sort((a, b) => a - b);
}

function page(
  jpegBytes: number,
  openedMs: number,
  { rows, cpu }: { rows: readonly Row[]; cpu: { ours: number; peer: number } },
): string {
  const at = (times: readonly number[], share: number) => times[Math.floor((times.length - 1) * share)]!;
  const peer = at(rows.find(([name]) => name.includes('same pyramid'))![1], 0.5);
  const lines = rows.map(([name, times]) => {
    const [p50, p95] = [at(times, 0.5), at(times, 0.95)];
    return `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${(p50 / peer).toFixed(2)} |`;
  });
  const first = at(rows[0]![1], 0.95);
  return [
    '## IIIF tiles',
    '',
    `${TILE}-pixel tiles of a ${WIDTH} × ${HEIGHT} JPEG (${(jpegBytes / 1e6).toFixed(1)} MB, film grain) at four scales. Fetching it from its museum and building the pyramid took ${Math.round(openedMs)} ms, once. Target for a tile rendered for the first time: ${BOUND_MS} ms at the 95th percentile (${first < BOUND_MS ? 'met' : 'missed'}). CPU time per tile: ${cpu.ours.toFixed(1)} ms, of which libvips ${cpu.peer.toFixed(1)} ms.`,
    '',
    '| | p50 ms | p95 ms | p50 against libvips |',
    '|---|---|---|---|',
    ...lines,
  ].join('\n');
}
