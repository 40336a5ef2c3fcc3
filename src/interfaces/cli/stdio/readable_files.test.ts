import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPaths, replacePaths, type Schema } from './paths_in_arguments.ts';
import { imagesIn, locate, type Roots, readLocated } from './readable_files.ts';

const outer = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-roots-')));
const root = join(outer, 'photos');
const photo = join(root, 'a photo.jpg');
const roots: Roots = { folders: [root], excluded: [join(root, 'data')] };

beforeAll(() => {
  for (const folder of ['data', '.hidden', 'set']) mkdirSync(join(root, folder), { recursive: true });
  for (const name of [
    'a photo.jpg',
    'data/key.jpg',
    '.hidden/b.jpg',
    'set/10.jpg',
    'set/9.png',
    'set/notes.txt',
    'set/.c.jpg',
  ])
    writeFileSync(join(root, name), 'bytes');
  writeFileSync(join(outer, 'secret.jpg'), 'secret');
  symlinkSync(join(outer, 'secret.jpg'), join(root, 'link.jpg'));
  symlinkSync(outer, join(root, 'up'));
  symlinkSync(photo, join(root, 'inside.jpg'));
  execFileSync('mkfifo', [join(root, 'pipe.jpg')]);
});
afterAll(() => rmSync(outer, { recursive: true, force: true }));

test.each([
  photo,
  'a photo.jpg',
  './a photo.jpg',
  pathToFileURL(photo).href,
  'set/../a photo.jpg',
  'inside.jpg',
])('%s resolves to the photo', async (text) => {
  expect(await locate(text, roots)).toEqual({ path: photo, kind: 'file' });
});

test.each([
  ['../secret.jpg', 'outside the folders'],
  ['link.jpg', 'outside the folders'],
  ['up/secret.jpg', 'outside the folders'],
  ['/etc/passwd', 'outside the folders'],
  ['/dev/null', 'outside the folders'],
  ['file:///etc/passwd', 'outside the folders'],
  ['data/key.jpg', 'data folder of the server'],
  ['.hidden/b.jpg', 'hidden'],
  ['pipe.jpg', 'a device, pipe or socket'],
])('%s is rejected: %s', async (text, reason) => {
  await expect(locate(text, roots)).rejects.toThrow(reason);
});

test.each(['none.jpg', 'file://elsewhere/a.jpg', 'a\0.jpg', 'iVBORw0KGgo='])(
  '%j is not treated as a file path',
  async (text) => {
    expect(await locate(text, roots)).toBeUndefined();
  },
);

test('a file replaced by a named pipe is rejected without blocking', async () => {
  await expect(readLocated(join(root, 'pipe.jpg'), roots)).rejects.toThrow('is not a file');
});

test('a file replaced by a symbolic link is rejected', async () => {
  await expect(readLocated(join(root, 'link.jpg'), roots)).rejects.toThrow(/ELOOP|replaced/);
});

test.each([
  [0, 'is empty'],
  [26 * 1_048_576, 'has 26.0 MB. The limit is 25 MB'],
])('a file of %i bytes is rejected: %s', async (size, reason) => {
  const path = join(root, `of_${size}.jpg`);
  writeFileSync(path, '');
  truncateSync(path, size);
  await expect(readLocated(path, roots)).rejects.toThrow(reason);
});

test('the images of a folder are sorted in natural number order', async () => {
  expect(await imagesIn(join(root, 'set'))).toEqual([join(root, 'set/9.png'), join(root, 'set/10.jpg')]);
});

test.each([
  [101, 'has 101 images. The limit for one call is 100'],
  [10_001, 'has more than 10,000 entries'],
])('a folder of %i images is rejected', async (count, reason) => {
  const folder = join(root, `of_${count}`);
  mkdirSync(folder);
  for (let index = 0; index < count; index += 1) writeFileSync(join(folder, `${index}.jpg`), '');
  await expect(imagesIn(folder)).rejects.toThrow(reason);
});

test('a folder without images is rejected', async () => {
  await expect(imagesIn(join(root, '.hidden', '..', 'data', '..', 'up'))).resolves.toHaveLength(1);
  mkdirSync(join(root, 'empty'));
  await expect(imagesIn(join(root, 'empty'))).rejects.toThrow('has no images');
});

const schema: Schema = {
  properties: {
    image: { type: 'string', contentMediaType: 'image/*' },
    title: { type: 'string' },
    steps: { type: 'array' },
    for_each: { type: 'object', additionalProperties: { type: 'array' } },
    layers: { type: 'array', items: { properties: { image: { contentMediaType: 'image/*' } } } },
  },
};
const found = async (args: Record<string, unknown>) =>
  (await findPaths(args, schema, roots)).map(({ keys, kind, path }) => [
    keys.join('.'),
    kind,
    path.slice(root.length),
  ]);

test.each([
  ['in a file field', { image: 'a photo.jpg' }, [['image', 'file', '/a photo.jpg']]],
  ['as an object', { image: { url: photo } }, [['image.url', 'file', '/a photo.jpg']]],
  [
    'in a list of objects',
    { layers: [{ image: 'a photo.jpg' }] },
    [['layers.0.image', 'file', '/a photo.jpg']],
  ],
  ['under another spelling', { photo: './a photo.jpg' }, [['photo', 'file', '/a photo.jpg']]],
  [
    'in a step of a recipe',
    { steps: [{ params: { image: photo } }] },
    [['steps.0.params.image', 'file', '/a photo.jpg']],
  ],
  ['as a folder for a list', { for_each: { photo: './set' } }, [['for_each.photo', 'folder', '/set']]],
])('a path is found %s', async (_, args, expected) => {
  expect(await found(args)).toEqual(expected);
});

test.each([
  ['a text field', { title: photo }],
  ['base64 of a JPEG', { image: '/9j/4AAQSkZJRgABAQ' }],
  ['handles and addresses', { image: 'upload:abc', steps: ['https://a.test/x.jpg', 'result:1.png'] }],
  ['a name in a field of any type', { steps: [{ name: 'a photo.jpg' }] }],
])('%s is not treated as a path', async (_, args) => {
  expect(await found(args)).toEqual([]);
});

test('a missing path is named in the error', async () => {
  await expect(found({ image: '~/none/here.jpg' })).rejects.toThrow('There is no file ~/none/here.jpg');
});

test('handles replace paths, and a folder in a list expands to all its handles', () => {
  const args = { image: 'a.jpg', images: ['x', 'set', 'y'] };
  const replaced = replacePaths(args, [
    { keys: ['image'], handles: ['upload:1'], isList: false },
    { keys: ['images', 1], handles: ['upload:2', 'upload:3'], isList: false },
  ]);
  expect(replaced).toEqual({ image: 'upload:1', images: ['x', 'upload:2', 'upload:3', 'y'] });
});
