import { createHash, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

// CommonJS modules, which `import` wraps inconsistently.
const require = createRequire(import.meta.url);
const Arweave = require('arweave') as typeof import('arweave');
const deepHash = (require('arweave/node/lib/deepHash.js') as typeof import('arweave/node/lib/deepHash.js'))
  .default;

/**
 * A local bundler and gateway in one. It accepts a data item only if it follows ANS-104 throughout, and
 * verifies the signature with Arweave's own library rather than the code under test.
 */
export interface FakeArweave {
  readonly uploadUrl: string;
  readonly gatewayUrl: string;
  /** Accepted items, by id. */
  readonly items: Map<string, Item>;
  /** Every id that was sent, including repeats. */
  readonly sent: string[];
  /** Faults of the next uploads, one each: a status, or a response that names another item. */
  readonly faults: (number | 'names another')[];
  /** Called when an item was accepted, before the response is sent. */
  onTaken(count: number): void;
  close(): Promise<unknown>;
}

interface Item {
  readonly id: string;
  readonly tags: Record<string, string>;
  readonly data: Buffer;
}

export async function startFakeArweave(): Promise<FakeArweave> {
  const self = { items: new Map<string, Item>(), sent: [] as string[], faults: [] as FakeArweave['faults'] };
  const hooks = { onTaken: (_count: number) => {} };
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const item = self.items.get(request.url!.slice(1));
      if (!item) return response.writeHead(404).end();
      return response.writeHead(200, { 'content-type': item.tags['Content-Type'] }).end(item.data);
    }
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (request.headers['content-type'] !== 'application/octet-stream') throw new Error('media type');
      const item = await judged(Buffer.concat(chunks));
      const fault = self.faults.shift();
      if (typeof fault === 'number') return response.writeHead(fault).end('{}');
      self.sent.push(item.id);
      if (self.items.has(item.id)) return response.writeHead(202).end('Data item already exists');
      self.items.set(item.id, item);
      hooks.onTaken(self.items.size);
      return response.end(JSON.stringify({ id: fault ? 'x'.repeat(43) : item.id, owner: 'somebody' }));
    } catch (error) {
      return response.writeHead(400).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(hooks, self, { uploadUrl: `${url}/v1/tx`, gatewayUrl: url, close });
}

/** Settings of a service that stores files there, with a wallet whose key is in `folder`. */
export function arweaveSettings(
  fake: Pick<FakeArweave, 'uploadUrl' | 'gatewayUrl'>,
  folder: string,
): Record<string, string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 4096, publicExponent: 65_537 });
  const path = join(folder, 'arweave-wallet.json');
  writeFileSync(path, JSON.stringify(privateKey.export({ format: 'jwk' })));
  return {
    ARWEAVE_KEY_FILE: path,
    ARWEAVE_UPLOAD_URL: fake.uploadUrl,
    ARWEAVE_GATEWAY_URL: fake.gatewayUrl,
  };
}

/** Parses a data item. @throws Error that names the violation of ANS-104 */
export async function judged(bytes: Buffer): Promise<Item> {
  if (bytes.readUInt16LE(0) !== 1) throw new Error('signature type');
  const [signature, owner] = [bytes.subarray(2, 514), bytes.subarray(514, 1026)];
  let at = 1026;
  const optional = (): Buffer => {
    const presence = bytes[at]!;
    if (presence > 1) throw new Error('presence byte');
    const value = bytes.subarray(at + 1, at + 1 + presence * 32);
    at += 1 + value.length;
    return value;
  };
  const [target, anchor] = [optional(), optional()];
  const count = Number(bytes.readBigUInt64LE(at));
  const length = Number(bytes.readBigUInt64LE(at + 8));
  const encoded = bytes.subarray(at + 16, at + 16 + length);
  const tags = tagsIn(encoded);
  if (tags.length !== count || count > 128) throw new Error('number of tags');
  const data = bytes.subarray(at + 16 + length);
  const text = (value: string) => Buffer.from(value);
  const parts = [text('dataitem'), text('1'), text('1'), owner, target, anchor, encoded, data];
  const message = await deepHash(parts);
  if (!(await isSigned(owner, message, signature))) throw new Error('signature');
  const id = createHash('sha256').update(signature).digest('base64url');
  return { id, tags: Object.fromEntries(tags), data };
}

/** The library also logs invalid signatures to the console, which some tests produce on purpose. */
function isSigned(owner: Buffer, message: Uint8Array, signature: Buffer): Promise<boolean> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return Arweave.crypto.verify(owner.toString('base64url'), message, signature);
  } finally {
    console.warn = warn;
  }
}

/** Avro: an array of records of two texts; blocks of items, ended by an empty one. */
function tagsIn(bytes: Buffer): [string, string][] {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('tags end too early');
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) break;
    }
    if (value % 2 === 1) throw new Error('a negative number in the tags');
    return value / 2;
  };
  const text = (bytesMax: number): string => {
    const length = number();
    if (length === 0 || length > bytesMax) throw new Error('length of a tag');
    at += length;
    return bytes.toString('utf8', at - length, at);
  };
  const tags: [string, string][] = [];
  for (let left = number(); left > 0; left = number()) {
    for (; left > 0; left--) tags.push([text(1024), text(3072)]);
  }
  if (at !== bytes.length) throw new Error('bytes behind the tags');
  return tags;
}
