import { expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { viewOf } from './tool_view.ts';

const shownBy = (view: string | undefined) =>
  tools.filter((tool) => viewOf(tool) === view).map(({ name }) => name);

test('what makes a picture of a picture is compared with it', () => {
  expect(shownBy('compare')).toEqual(
    tools
      .filter(({ output, input }) => 'result_url' in output.shape && 'image' in input.shape)
      .map(({ name }) => name),
  );
  expect(shownBy('compare')).toEqual(
    expect.arrayContaining(['resize_image', 'vectorize_image', 'print_ready']),
  );
});

test('what lists works or files is a contact sheet', () => {
  expect(shownBy('contact_sheet')).toEqual(['search_artworks', 'batch_download', 'list_assets']);
});

test('whatever may cost something has a view, so that its quote can be shown', () => {
  const paid = tools.filter(({ price }) => !isFree(price));
  expect(paid.filter((tool) => viewOf(tool) === undefined)).toEqual([]);
  expect(shownBy('cost')).toEqual(expect.arrayContaining(['register_hash', 'get_artwork']));
});
