import { getToolSchema } from '../../../features/discovery/tools/get_tool_schema.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import { jsonContents } from './contents_of.ts';
import type { ResourceKind } from './types.ts';

const PREFIX = 'atelier://tools/';

/** The full get_tool_schema response, for a client that reads it before a call. */
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
  async read(name, uri, { context, caller }) {
    const { body } = await callTool(context, getToolSchema.name, { tool_name: name, detail: 'full' }, caller);
    return jsonContents(uri, body);
  },
};
