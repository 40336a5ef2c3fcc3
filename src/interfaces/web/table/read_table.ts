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

/** A table, as far as this visitor may see it. */
export interface OpenTable {
  /** Opens the workspace in calls of the server: its id, or a link. Never shown. */
  readonly key: string;
  /** The same for the programs of the page. */
  readonly pass: string;
  readonly state: WorkspaceAnswer;
}

/** Asks an endpoint of workspaces as the visitor. @throws AtelierError as it does */
export const askTable = <Answer>(
  visit: Visit,
  operation: AnyOperation,
  raw: Readonly<Record<string, unknown>>,
): Promise<Answer> => ask(visit, operation, { ...raw }) as Promise<unknown> as Promise<Answer>;

/**
 * Opens a table for its visitor: by the wallet they signed in with, by the link in the address, or by one that this browser was given.
 * @param id as the address of the page has it
 * @throws AtelierError workspace_not_found
 */
export async function openTable(visit: Visit, id: string): Promise<OpenTable> {
  const key = keyOf(visit, id);
  const { workspaces } = visit.studio.kit.services;
  const { wallet, proof } = await identify(visit.studio.kit, visit.caller, { mustPay: false });
  const access = await workspaces.access(key, { wallet, proof });
  const state = await askTable<WorkspaceAnswer>(visit, readWorkspace, { id: key });
  return { key, pass: await workspaces.passFor(access), state };
}

/** What opens a table whose address this is. */
export const keyOf = (visit: Visit, id: string): string =>
  id.includes('.') ? id : (rememberedLink(visit, id) ?? id);

/** Nothing where a list is refused to the visitor; errors of the server are thrown on. */
export function nothingRefused(error: unknown): [] {
  if (error instanceof AtelierError) return [];
  throw error;
}
