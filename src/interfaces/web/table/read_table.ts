import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { TableState } from '../../../core/html/browser/table_state.ts';
import type { AnyOperation } from '../../../features/definitions/operation.ts';
import { readWorkspace } from '../../../features/workspaces/routes/index.ts';
import type { LinkView, WorkspaceView } from '../../../features/workspaces/types.ts';
import { identify } from '../../../pipeline/authenticate.ts';
import { ask } from '../ask.ts';
import type { Visit } from '../types.ts';
import { rememberedLink } from './remembered_tables.ts';

interface WorkspaceAnswer extends TableState {
  readonly workspace: WorkspaceView;
  readonly links: readonly LinkView[];
}

/** A table, as visible to the visitor. */
export interface OpenTable {
  /** Workspace id or link, for server-side calls. Never shown. */
  readonly key: string;
  /** Temporary credential for the scripts of the page. */
  readonly pass: string;
  readonly state: WorkspaceAnswer;
}

/** Calls a workspace endpoint on behalf of the visitor. @throws AtelierError of the endpoint */
export const askTable = <Answer>(
  visit: Visit,
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
): Promise<Answer> => ask(visit, operation, { ...raw }) as Promise<unknown> as Promise<Answer>;

/**
 * Opens a table by the wallet of the visitor, the link in the URL, or a link stored in a cookie.
 * @param id from the URL of the page
 * @throws AtelierError workspace_not_found
 */
export async function openTable(visit: Visit, id: string): Promise<OpenTable> {
  const key = keyOf(visit, id);
  const { workspaces } = visit.studio.context.services;
  const { wallet, proof } = await identify(visit.studio.context, visit.caller, { mustPay: false });
  const access = await workspaces.access(key, { wallet, proof });
  const state = await askTable<WorkspaceAnswer>(visit, readWorkspace, { id: key });
  return { key, pass: await workspaces.passFor(access), state };
}

/** Workspace key for an id in a URL. */
export const keyOf = (visit: Visit, id: string): string =>
  id.includes('.') ? id : (rememberedLink(visit, id) ?? id);

/** Empty list for a rejected request; server errors are rethrown. */
export function nothingRefused(error: unknown): [] {
  if (error instanceof AtelierError) return [];
  throw error;
}
