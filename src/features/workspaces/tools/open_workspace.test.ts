import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { forEachApp } from '../../../../tests/support/for_each_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';
import { imageIn, plainImage, workspaceCalls } from '../../../../tests/support/workspace_calls.ts';

/** Workspaces as an agent uses them over MCP. */

forEachApp((open) => {
  const { app, tool, openWorkspace } = workspaceCalls(open);

  test('an agent opens a workspace, adds a tool result and sees it on the sheet', async () => {
    const { workspace_id: workspace, ...rest } = await openWorkspace({ title: 'Mugs' });
    expect(rest).toMatchObject({ title: 'Mugs', role: 'own', url: `http://atelier.test/table/${workspace}` });
    expect(rest.warnings[0]).toContain('its only access');
    const args = { image: await plainImage(200), width: 30, height: 20, workspace };
    const { structuredContent: made } = await tool('resize_image', args);
    expect(made.workspace).toMatchObject({ act: 1, items: [2] });
    const sheet = await tool('show_workspace', { workspace });
    expect(sheet.structuredContent).toMatchObject({
      title: 'Mugs',
      branch: 'main',
      total: 2,
      items: [
        { item: 1, size: '60×40' },
        { item: 2, size: '30×20', act: 1 },
      ],
      acts: [{ act: 1, tool: 'resize_image', outputs: [2] }],
    });
    const { width, height } = sheet.structuredContent;
    expect(await sharp(imageIn(sheet)).metadata()).toMatchObject({ width, height });
  });

  test('a wallet workspace is accessible only to its owner; a share link gives access', async () => {
    const { bare } = await newOwner(app);
    const other = await newOwner(app);
    const { workspace_id: workspace, ...mine } = await openWorkspace({ title: 'Mine' }, bare);
    expect(mine).toMatchObject({ expires_at: null, role: 'own' });
    expect(workspace).toMatch(/^wsp_[0-9a-f]{32}$/);
    for (const headers of [{}, other.bare])
      for (const name of ['open_workspace', 'show_workspace'])
        expect(await tool(name, { workspace }, headers)).toMatchObject({
          isError: true,
          structuredContent: { code: 'workspace_not_found' },
        });
    expect((await tool('show_workspace', { workspace }, bare)).structuredContent.title).toBe('Mine');
    const { link } = (
      await app.post(`/api/workspaces/${workspace}/links`, { role: 'view', name: 'Anna' }, bare)
    ).body;
    const seen = await openWorkspace({ workspace: link.url, title: 'Ours' });
    expect(seen).toMatchObject({ workspace_id: link.id, url: link.url, role: 'view', title: 'Mine' });
    expect(seen.warnings[0]).toContain('title was ignored');
    expect((await tool('show_workspace', { workspace: link.url })).structuredContent.role).toBe('view');
  });
});
