import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { judged } from '../../../../../tests/support/fake_arweave.ts';
import { dataItem } from './data_item.ts';

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 4096, publicExponent: 65_537 });
const TAGS = [
  { name: 'Content-Type', value: 'image/png' },
  { name: 'Title', value: 'é'.repeat(100) },
];

test.each([0, 1, 300_000])(
  '%i bytes make a data item that Arweave’s own library verifies',
  async (length) => {
    const data = Buffer.alloc(length, 7);
    const { id, parts } = dataItem(data, TAGS, key);
    const tags = { 'Content-Type': 'image/png', Title: 'é'.repeat(100) };
    expect(await judged(Buffer.concat(parts))).toEqual({ id, tags, data });
  },
);

test('equal bytes and tags give the same item, and different tags a different one', () => {
  const [one, two] = [dataItem(Buffer.from('a'), TAGS, key), dataItem(Buffer.from('a'), TAGS, key)];
  expect(two).toEqual(one);
  expect(dataItem(Buffer.from('a'), [], key).id).not.toBe(one.id);
});

test('changing any byte invalidates the item', async () => {
  const bytes = Buffer.concat(dataItem(Buffer.from('data'), TAGS, key).parts);
  for (const at of [100, 600, 1030, 1050, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    await expect(judged(changed), `byte ${at}`).rejects.toThrow();
  }
});

test('a key with the wrong length is rejected', () => {
  const short = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  expect(() => dataItem(Buffer.from('a'), TAGS, short)).toThrow('2048 bits');
});
