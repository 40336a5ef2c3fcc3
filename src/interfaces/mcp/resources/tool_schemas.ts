import { getToolSchema } from '../../../features/discovery/tools/get_tool_schema.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import { jsonContents } from './contents_of.ts';
import type { ResourceKind } from './types.ts';

const PREFIX = 'atelier://tools/';

/** What get_tool_schema answers in full, for a client that reads along before it calls. */
export const toolSchemas: ResourceKind = {
  prefix: PREFIX,
  template: {
    uriTemplate: `${PREFIX}{name}`,
    name: 'tool',
    title: 'Full tool definition',
    description: 'Everything needed to call one tool, as returned by get_tool_schema with detail full.',
    mimeType: 'application/json',
  },
  values: (_variable, { services }) => services.catalogue.tools.map(({ name }) => name),
  async read(name, uri, { kit, caller }) {
    const { body } = await callTool(kit, getToolSchema.name, { tool_name: name, detail: 'full' }, caller);
    return jsonContents(uri, body);
  },
};
