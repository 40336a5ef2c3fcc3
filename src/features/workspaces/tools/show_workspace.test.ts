import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { forEachApp } from '../../../../tests/support/for_each_app.ts';
import { type Body, imageIn, plainImage, workspaceCalls } from '../../../../tests/support/workspace_calls.ts';

/** Workspaces as an agent uses them over MCP. */

/** What a model reads of a full workspace, its sheet aside: text and links, in o200k. */
const TOKENS_MAX = 1_500;

forEachApp((open) => {
  const { app, tool, openWorkspace } = workspaceCalls(open);
  const add = (workspace: string, images: object[], headers = {}) =>
    app.post(`/api/workspaces/${workspace}/items`, { images }, headers);

  test('images appear on the sheet in numerical order, and items selects among them', async () => {
    const { workspace_id: workspace } = await openWorkspace();
    const colours = [0, 80, 160, 240];
    await add(workspace, await Promise.all(colours.map(async (red) => ({ image: await plainImage(red) }))));
    const redsOf = async (sheet: Body): Promise<number[]> => {
      const { data, info } = await sharp(imageIn(sheet))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const columns = Math.ceil(Math.sqrt(sheet.structuredContent.items.length));
      const rows = Math.ceil(sheet.structuredContent.items.length / columns);
      return sheet.structuredContent.items.map((_: Body, at: number) => {
        const x = Math.round(((at % columns) + 0.5) * (info.width / columns));
        const y = Math.round((Math.floor(at / columns) + 0.42) * (info.height / rows));
        return data[(y * info.width + x) * 3]!;
      });
    };
    const close = (reds: number[]) => reds.map((red) => Math.round(red / 80) * 80);
    const all = await tool('show_workspace', { workspace });
    expect(close(await redsOf(all))).toEqual(colours);
    const some = await tool('show_workspace', { workspace, items: [4, 2] });
    expect(some.structuredContent.items.map(({ item }: Body) => item)).toEqual([4, 2]);
    expect(close(await redsOf(some))).toEqual([240, 80]);
    const unknown = await tool('show_workspace', { workspace, items: [9] });
    expect(unknown).toMatchObject({ isError: true, structuredContent: { code: 'item_not_found' } });
  });

  test('a branch shows its own results; hidden and deleted items are omitted', async () => {
    const { workspace_id: workspace } = await openWorkspace();
    const call = (width: number) => tool('resize_image', { image: 'item:1', width, height: 9, workspace });
    await add(workspace, [
      { image: await plainImage(10) },
      { image: await plainImage(20) },
      { image: await plainImage(30) },
    ]);
    await call(12);
    await app.post(`/api/workspaces/${workspace}/branches`, { branch: 'small', at: 0 });
    await call(6);
    await app.post(`/api/workspaces/${workspace}/items/edit`, {
      items: [
        { item: 2, hidden: true },
        { item: 3, deleted: true },
      ],
    });
    const shown = async (branch?: string) => {
      const { structuredContent } = await tool('show_workspace', { workspace, branch });
      return structuredContent.items?.map(({ item }: Body) => item) ?? structuredContent.code;
    };
    expect(await shown()).toEqual([1, 5]);
    expect(await shown('main')).toEqual([1, 4]);
    expect(await shown('none')).toBe('item_not_found');
  });

  test('a full workspace is split into pages of 24 items, with long names truncated', async () => {
    const { workspace_id: workspace } = await openWorkspace({ title: 'A title '.repeat(15) });
    for (let from = 0; from < 200; from += 50) {
      const images = Array.from({ length: 50 }, async (_, at) => ({
        image: await plainImage(from + at),
        name: `Photograph of the blue mug on the table ${from + at}.png`,
        caption: 'It is not blue enough. '.repeat(20),
      }));
      expect((await add(workspace, await Promise.all(images))).body.failed).toEqual([]);
    }
    for (let at = 0; at < 8; at += 1)
      await app.post(`/api/workspaces/${workspace}/comments`, {
        text: 'Take the one on the left. '.repeat(70),
        item: 1,
      });
    for (let width = 12; width < 36; width += 3)
      await tool('resize_image', { image: 'item:1', width, height: 40, workspace });
    const sheet = await tool('show_workspace', { workspace, page: 2 });
    const { items, pages, total, acts, comments } = sheet.structuredContent;
    expect([items.length, items[0].item, pages, total]).toEqual([24, 25, 9, 208]);
    expect(items[0].name).toBe('Photograph of t…e 24.png');
    expect([acts.length, comments.length]).toEqual([6, 4]);
    const read = sheet.content.filter(({ type }: Body) => type !== 'image');
    const text = read.map((block: Body) => block.text ?? JSON.stringify(block)).join('\n');
    expect(encode(text).length).toBeLessThan(TOKENS_MAX);
    const last = await tool('show_workspace', { workspace, page: 99 });
    expect(last.structuredContent.items.at(-1).item).toBe(208);
    expect(last.structuredContent.warnings[0]).toContain('the last page, 9, is shown');
  });

  test('an empty workspace, a non-image file and markup in names are rendered too', async () => {
    const { workspace_id: workspace } = await openWorkspace();
    expect((await tool('show_workspace', { workspace })).structuredContent).toMatchObject({
      items: [],
      pages: 1,
    });
    const pdf = Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF',
    ).toString('base64');
    await add(workspace, [{ image: pdf, name: '<svg onload=1>{{name}}.pdf' }]);
    const sheet = await tool('show_workspace', { workspace });
    expect(sheet.structuredContent.items).toMatchObject([{ item: 1, name: expect.stringMatching(/\.pdf$/) }]);
    expect(imageIn(sheet).length).toBeGreaterThan(100);
  });
});
