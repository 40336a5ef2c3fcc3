import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, test } from 'vitest';
import { checksumAddress, recoverSigner } from './recover_address.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** Published in the documentation of web3.js, eth.accounts.sign. */
const PUBLISHED = {
  message: 'Some data',
  signature:
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
  signer: '0x2c7536e3605d9c16a7a3d7b1898e529396a65c23',
};
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

test('a published test signature recovers its signer', () => {
  expect(recoverSigner(bytes(PUBLISHED.message), PUBLISHED.signature)).toBe(PUBLISHED.signer);
});

test.each(['', 'hello', 'ä → 😀 and more than one line\n', 'x'.repeat(3000)])(
  'a viem signature recovers its signer: %j',
  async (message) => {
    const account = privateKeyToAccount(generatePrivateKey());
    const signature = await account.signMessage({ message });
    expect(recoverSigner(bytes(message), signature)).toBe(account.address.toLowerCase());
  },
);

test('another message recovers another signer', () => {
  expect(recoverSigner(bytes('Some date'), PUBLISHED.signature)).not.toBe(PUBLISHED.signer);
});

test('v may be 0 or 1, as some wallets write it', () => {
  const signature = `${PUBLISHED.signature.slice(0, -2)}01`;
  expect(recoverSigner(bytes(PUBLISHED.message), signature)).toBe(PUBLISHED.signer);
});

test('a malleated signature with inverted s and v is rejected', () => {
  const s = ORDER - BigInt(`0x${PUBLISHED.signature.slice(66, 130)}`);
  const twin = `${PUBLISHED.signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}1b`;
  expect(recoverSigner(bytes(PUBLISHED.message), twin)).toBeUndefined();
});

const hex = (r: bigint, s: bigint, v = '1b') =>
  `0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}${v}`;

test.each([
  ['empty', ''],
  ['not hex', `0x${'zz'.repeat(65)}`],
  ['64 bytes', PUBLISHED.signature.slice(0, -2)],
  ['66 bytes', `${PUBLISHED.signature}00`],
  ['without 0x', PUBLISHED.signature.slice(2)],
  ['v of 2', `${PUBLISHED.signature.slice(0, -2)}02`],
  ['v of 29', `${PUBLISHED.signature.slice(0, -2)}1d`],
  ['v of 255', `${PUBLISHED.signature.slice(0, -2)}ff`],
  ['all zeros', hex(0n, 0n)],
  ['r of zero', hex(0n, 1n)],
  ['s of zero', hex(1n, 0n)],
  ['r of the order', hex(ORDER, 1n)],
  ['r above the field', hex(2n ** 256n - 1n, 1n)],
  ['r on no point', hex(5n, 1n)],
])('a signature that is %s recovers no signer', (_what, signature) => {
  expect(recoverSigner(bytes(PUBLISHED.message), signature)).toBeUndefined();
});

test.each([
  // The examples of EIP-55.
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
])('%s is checksummed as in EIP-55 and viem', (address) => {
  expect(checksumAddress(address.toLowerCase())).toBe(address);
  expect(getAddress(address.toLowerCase() as `0x${string}`)).toBe(address);
});
