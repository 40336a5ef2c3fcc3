import { expect, test } from 'vitest';
import { tools } from '../../../features/tools.ts';
import { readDocs } from './read_docs.ts';
import { runnableBlock } from './runnable_calls.ts';

const byName = new Map(tools.map((tool) => [tool.name, tool]));
const read = (...lines: string[]) => runnableBlock(`<!-- mcp\n${lines.join('\n')}\n-->\n`, byName);
const UPLOAD = 'request_upload {"file": "photo.jpg"}';
const SMALL = 'resize_image {"image": "upload:<id>", "width": 320, "height": 320}';

test('the free calls of a block are runnable, with a sample image as the file', () => {
  const block = read(UPLOAD, SMALL, 'extract_palette {"image": "result:<id>"}');
  expect(block?.calls.map(({ tool }) => tool)).toEqual(['resize_image', 'extract_palette']);
  expect(block).toMatchObject({ fileName: 'photo.jpg', sample: { name: 'still_life' }, isPart: false });
});

test('a paid call and the calls that use its result are omitted', () => {
  const paid = 'mockup_image {"image": "upload:<id>", "product": "mug", "payer": "0x00"}';
  const block = read(UPLOAD, SMALL, paid, 'extract_palette {"image": "result:<id>"}', SMALL);
  expect(block?.calls.map(({ tool }) => tool)).toEqual(['resize_image', 'resize_image']);
  expect(block?.isPart).toBe(true);
});

test('a dry run of a paid call is runnable', () => {
  expect(
    read('mockup_image {"image": "upload:<id>", "product": "mug", "dry_run": true}')?.calls,
  ).toHaveLength(1);
});

test.each([
  'register_wallet {"wallet": "0x00000000000000000000000000000000000000c5"}',
  'get_job {"job_id": "job_1"}',
  'delete_asset {"key": "a"}',
  'preflight_file {"file": "result:<id>"}',
  'unknown_tool {"a": 1}',
])('%s alone is not runnable', (line) => {
  expect(read(line)).toBeUndefined();
});

test('an ordinary HTML comment is not a runnable block', () => {
  expect(runnableBlock('<!-- see above -->', byName)).toBeUndefined();
});

test('most guides have a runnable block', () => {
  const guides = [...readDocs().values()].filter(({ folder }) => folder === 'guides');
  const comments = guides.map(({ markdown }) =>
    [...markdown.matchAll(/^<!-- mcp\n.*?-->$/gms)].map(([text]) => text),
  );
  const runnable = comments.filter((texts) => texts.some((text) => runnableBlock(text, byName)));
  expect(runnable.length).toBeGreaterThanOrEqual(10);
});
