import { expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { viewOf } from './tool_view.ts';

const shownBy = (view: string | undefined) =>
  tools.filter((tool) => viewOf(tool) === view).map(({ name }) => name);

test('tools that turn an image into an image use the comparison view', () => {
  expect(shownBy('compare')).toEqual(
    tools
      .filter(({ output, input }) => 'result_url' in output.shape && 'image' in input.shape)
      .map(({ name }) => name),
  );
  expect(shownBy('compare')).toEqual(
    expect.arrayContaining(['resize_image', 'vectorize_image', 'print_ready']),
  );
});

test('tools that list artworks or files use the contact sheet view', () => {
  expect(shownBy('contact_sheet')).toEqual(['search_artworks', 'batch_download', 'list_assets']);
});

test('every paid tool has a view that shows its quote', () => {
  const paid = tools.filter(({ price }) => !isFree(price));
  expect(paid.filter((tool) => viewOf(tool) === undefined)).toEqual([]);
  expect(shownBy('cost')).toEqual(expect.arrayContaining(['register_hash', 'get_artwork']));
});
