import { VIEW_NAMES, VIEW_PREFIX, VIEW_TYPE, type ViewName, viewUri } from '../../../catalog/mcp_tools.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { viewDocument } from '../../../core/html/view_document.ts';
import type { ResourceKind } from './types.ts';

interface Described {
  readonly title: string;
  readonly description: string;
  readonly styles?: readonly string[];
}

const VIEWS: Readonly<Record<ViewName, Described>> = {
  compare: {
    title: 'Before and after',
    description: 'The original and the result side by side, with a slider and zoom.',
    styles: ['compare.css'],
  },
  contact_sheet: {
    title: 'Contact sheet',
    description: 'A grid of works or files, to enlarge or choose one.',
    styles: ['contact_sheet.css'],
  },
  cost: {
    title: 'Cost and consent',
    description: 'Price and checks of a call, with a button that runs it; afterwards the credits charged.',
  },
};

/** Views that a client with MCP Apps shows beside a result. Their images come from this server. */
export const views: ResourceKind = {
  prefix: VIEW_PREFIX,
  template: {
    uriTemplate: `${VIEW_PREFIX}{view}`,
    name: 'view',
    title: 'Response view',
    description: 'A document that shows a response to a person, for clients with MCP Apps.',
    mimeType: VIEW_TYPE,
  },
  values: () => VIEW_NAMES,
  list: async () =>
    VIEW_NAMES.map((name) => ({
      uri: viewUri(name),
      name,
      title: VIEWS[name].title,
      description: VIEWS[name].description,
      mimeType: VIEW_TYPE,
    })),
  /** @throws AtelierError result_not_found */
  async read(path, uri, { context: { services } }) {
    const name = VIEW_NAMES.find((candidate) => candidate === path);
    if (!name) throw new AtelierError('result_not_found', `Unknown view ${uri.slice(0, 200)}.`);
    const { origin } = new URL(services.site.publicUrl);
    return {
      uri,
      mimeType: VIEW_TYPE,
      text: documentOf(name, origin),
      _meta: { ui: { csp: { resourceDomains: [origin] }, prefersBorder: true } },
    };
  },
};

/** Views are constant during the life of the process. */
const documents = new Map<string, string>();

function documentOf(name: ViewName, origin: string): string {
  const key = `${name} ${origin}`;
  const text = documents.get(key) ?? viewDocument({ name, ...VIEWS[name], origin });
  documents.set(key, text);
  return text;
}
