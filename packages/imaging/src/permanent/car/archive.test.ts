import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { archiveRecord, carSections, cidOf, cidText, DAG_PB, parseCid, RAW, unixfsBlocks } from './car.ts';

const bytesOf = (length: number) => new Uint8Array(length).map((_, index) => (index * 2654435761) >>> 24);

/** Roots as ipfs-car 3.1 computes them. */
test.each([
  [5, 'bafkreiawwg77ikxguo2m6r67joyuujsz2d7ypq2bqiofhhmj5lh4wpbb2a'],
  [1_048_576, 'bafkreigkmbztslxhdw6ruljvnq6kuiz7r6bivyl7r6f2qvyo4nerxyjivm'],
  [1_048_577, 'bafybeicazqphgjf4g4qf4skxzdrp4q4ggibd5eun436hnrf7iftnvy4pde'],
  [3_000_000, 'bafybeices3vqm35snerzf3rjok5xq5pr3wey2um3vaiujuotwqbupvz3wi'],
])('%i bytes have the same root CID as in other software', (length, root) => {
  expect(cidText(unixfsBlocks(bytesOf(length)).at(-1)!.cid)).toBe(root);
});

test('the empty file and "hello world" have the same CIDs as in ipfs-car', () => {
  expect(cidText(cidOf(RAW, new Uint8Array(0)))).toBe(
    'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku',
  );
  expect(cidText(cidOf(RAW, Buffer.from('hello world')))).toBe(
    'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
  );
});

test('a CID round-trips, and an invalid one is not parsed', () => {
  const cid = cidOf(DAG_PB, Buffer.from('x'));
  expect(parseCid(cidText(cid))).toEqual({ codec: DAG_PB, sha256: cid.sha256 });
  const wrong = [
    '',
    'b',
    cidText(cid).toUpperCase(),
    `${cidText(cid)}a`,
    `b${'a'.repeat(58)}`,
    'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
  ];
  expect(wrong.map(parseCid)).toEqual(wrong.map(() => undefined));
});

/** An independent reader, written from the CARv1 specification. */
function readCar(car: Buffer) {
  let at = 0;
  const length = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = car[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  const headerLength = length();
  const header = car.subarray(at, at + headerLength);
  at += headerLength;
  const blocks: { cid: string; bytes: Buffer }[] = [];
  while (at < car.length) {
    const size = length();
    const codecBytes = car[at + 1]! >= 0x80 ? 2 : 1;
    const cidLength = 1 + codecBytes + 2 + 32;
    blocks.push({
      cid: car.toString('hex', at, at + cidLength),
      bytes: car.subarray(at + cidLength, at + size),
    });
    at += size;
  }
  return { header, blocks };
}

test('an archive contains every block under its hash and names its root', () => {
  const blocks = unixfsBlocks(bytesOf(2_500_000));
  const { header, blocks: read } = readCar(Buffer.concat([...carSections(blocks.at(-1)!.cid, blocks)]));
  expect(header.includes(Buffer.from(blocks.at(-1)!.cid.sha256))).toBe(true);
  expect(read.map(({ cid }) => cid.slice(-64))).toEqual(
    read.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex')),
  );
  expect(Buffer.concat(read.slice(0, -1).map(({ bytes }) => bytes)).equals(bytesOf(2_500_000))).toBe(true);
});

test('a record serialises identically for any key order', () => {
  const about = { contentType: 'text/plain', sha256: 'ab', metadata: { b: 1, a: ['x'] } };
  const { record, content } = archiveRecord(Buffer.from('hello world'), about);
  expect(Buffer.from(record.bytes).toString()).toBe(
    `{"content":{"/":"${cidText(content)}"},"content_type":"text/plain","metadata":{"a":["x"],"b":1},"sha256":"ab","size_bytes":11,"type":"atelier.archive.record.1"}`,
  );
  expect(cidText(record.cid)).toMatch(/^bagu/);
});
