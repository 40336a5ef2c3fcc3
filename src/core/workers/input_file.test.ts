import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inputPathOf, openInputFile, readInputFile } from './input_file.ts';

const given = () => {
  const file = openInputFile()!;
  return { file, read: (bytes: number) => readInputFile(file.descriptor, bytes) };
};
const onLinux = test.runIf(process.platform === 'linux');

onLinux('the file contains only the last image, and its path stands for that image alone', () => {
  const { file, read } = given();
  file.put(new Uint8Array(100_000).fill(1));
  file.put(new Uint8Array(50_000).fill(2));
  const image = read(50_000);
  expect(image).toEqual(new Uint8Array(50_000).fill(2));
  expect(readFileSync(inputPathOf(image)!).length).toBe(50_000);
  expect([inputPathOf(image.slice()), inputPathOf(image.subarray(1))]).toEqual([undefined, undefined]);
  file.close();
});

onLinux('a long image does not fit, and none fits after the file is closed', () => {
  const { file } = given();
  expect(file.put(new Uint8Array(4 * 1024 * 1024 + 1))).toBe(false);
  file.close();
  expect(file.put(new Uint8Array(1))).toBe(false);
});
