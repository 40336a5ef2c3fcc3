import { expect, test } from 'vitest';
import { cleanFileName, contentDisposition, decodeFileName, encodeFileName } from './file_name.ts';

test.each([
  ['IMG_0412 (1).jpg', 'IMG_0412 (1).jpg'],
  ['C:\\Users\\me\\Photo.PNG', 'Photo.PNG'],
  ['../../etc/passwd', 'passwd'],
  ['cafe\u0301.webp', 'café.webp'],
  ['写真.png', '写真.png'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['.bashrc', 'bashrc'],
  ['what?.png', 'what-.png'],
  ['con.txt', '_con.txt'],
  ['a\r\nSet-Cookie: x.png', 'aSet-Cookie- x.png'],
])('%j becomes %j', (sent, name) => {
  expect(cleanFileName(sent)).toBe(name);
});

test.each(['', '/', '..', ' . ', '\u200b'])('%j leaves no valid name', (sent) => {
  expect(cleanFileName(sent)).toBeUndefined();
});

test.each(['photo 01.jpg', '写真 (2).png', 'a_b-c.d', '🙂.webp'])('%j survives encoding', (name) => {
  expect(encodeFileName(name)).toMatch(/^[\w-]+$/);
  expect(decodeFileName(encodeFileName(name))).toBe(name);
});

test('a long name keeps its extension and stays short when encoded', () => {
  const name = cleanFileName(`${'写'.repeat(300)}.jpeg`)!;
  expect(name).toMatch(/^写+\.jpeg$/);
  expect(encodeFileName(name).length).toBeLessThanOrEqual(120);
});

test('a thousand long names are cleaned within the test timeout', () => {
  const names = Array.from({ length: 1000 }, (_, n) => `${n}${'写'.repeat(4000)}.png`);
  expect(new Set(names.map(cleanFileName)).size).toBe(1000);
});

test('a thousand names of combining marks are cleaned within the test timeout', () => {
  const names = Array.from({ length: 1000 }, (_, n) => `${n}${'\u0300\u0316'.repeat(16_000)}.png`);
  expect(names.map(cleanFileName).every((name) => name?.endsWith('.png'))).toBe(true);
});

test('a long name is truncated between characters', () => {
  expect(cleanFileName(`${'🙂'.repeat(50)}.webp`)).toMatch(/^(🙂){9}\.webp$/u);
});

test.each(['a_2fb', '_2e_2e', '_c3', 'a_0d', 'a.b', '_41'])('%j is not an encoded name', (text) => {
  expect(decodeFileName(text)).toBeUndefined();
});

test('the header has an ASCII fallback and the exact name', () => {
  expect(contentDisposition('inline', undefined)).toBe('inline');
  expect(contentDisposition('inline', 'photo.png')).toBe('inline; filename="photo.png"');
  expect(contentDisposition('attachment', 'é"(1).png')).toBe(
    'attachment; filename="__(1).png"; filename*=UTF-8\'\'%C3%A9%22%281%29.png',
  );
});
