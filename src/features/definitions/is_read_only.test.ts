import { expect, test } from 'vitest';
import { tools } from '../tools.ts';
import { isReadOnly } from './is_read_only.ts';
import { highestPrice } from './price.ts';

const named = (wanted: boolean) =>
  tools.filter((tool) => isReadOnly(tool) === wanted).map(({ name }) => name);

test('only free lookup tools are marked read-only', () => {
  expect(named(true)).toEqual([
    'inspect_image',
    'read_text',
    'verify_provenance',
    'search_artworks',
    'watermark_detect',
    'compliance_manifest',
    'get_asset',
    'list_assets',
    'get_job',
    'check_balance',
    'search_tools',
    'get_tool_schema',
  ]);
});

test('tools that cost credits are not read-only', () => {
  const paid = tools.filter(({ price }) => highestPrice(price) > 0).map(({ name }) => name);
  expect(named(false)).toEqual(expect.arrayContaining(paid));
});
