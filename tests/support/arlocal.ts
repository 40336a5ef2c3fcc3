import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judged } from './fake_arweave.ts';
import { freePort } from './free_port.ts';

const require = createRequire(import.meta.url);
const Arweave = require('arweave') as typeof import('arweave');
const FOLDER = join(import.meta.dirname, '../../.ci/arlocal');
const PROGRAM = join(FOLDER, 'node_modules/arlocal/bin/index.js');

/** A local Arweave network (ArLocal), behind a bundler of this project, because ArLocal has none. */
export interface Arlocal {
  /** Accepts a data item, puts it into a bundle of its own (ANS-104) and the bundle into a block. */
  readonly uploadUrl: string;
  readonly gatewayUrl: string;
  close(): Promise<void>;
}

export async function startArlocal(): Promise<Arlocal> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-arlocal-'));
  const port = await freePort();
  const gatewayUrl = `http://127.0.0.1:${port}`;
  const program = spawn(process.execPath, [PROGRAM, String(port), '--hidelogs', '--dbpath=database'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (said += text));
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()));
  await Promise.race([until(`${gatewayUrl}/info`), ended.then(() => Promise.reject(new Error(said)))]);
  const bundler = await startBundler(port);
  return {
    uploadUrl: `http://127.0.0.1:${(bundler.address() as AddressInfo).port}/v1/tx`,
    gatewayUrl,
    async close() {
      bundler.close();
      program.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function startBundler(port: number): Promise<Server> {
  const chain = Arweave.init({ host: '127.0.0.1', port, protocol: 'http' });
  const wallet = await chain.wallets.generate();
  await chain.api.get(`mint/${await chain.wallets.getAddress(wallet)}/1000000000000`);
  const bundler = createServer(async (request, response) => {
    try {
      const item = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
      const { id } = await judged(item);
      const bundle = await chain.createTransaction({ data: bundleOf(id, item) }, wallet);
      bundle.addTag('Bundle-Format', 'binary');
      bundle.addTag('Bundle-Version', '2.0.0');
      await chain.transactions.sign(bundle, wallet);
      const { status } = await chain.transactions.post(bundle);
      await chain.api.get('mine');
      response.writeHead(status).end(JSON.stringify({ id }));
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => bundler.listen(0, '127.0.0.1', resolve));
  return bundler;
}

/**
 * A bundle with one item: the number of items, the length and id of each, and the items; numbers take 32
 * bytes.
 */
function bundleOf(id: string, item: Buffer): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  return Buffer.concat([number(1), number(item.length), Buffer.from(id, 'base64url'), item]);
}

async function until(url: string): Promise<void> {
  for (;;) {
    const answers = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
