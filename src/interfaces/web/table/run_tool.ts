import { createHash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Item } from '../../../core/html/browser/table_state.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import type { Runnable } from '../tools/runnable.ts';
import type { Settings } from '../tools/settings.ts';
import type { Visit } from '../types.ts';
import { selectionField } from './jobs.ts';
import { RUN_ITEMS_MAX } from './limits.ts';

interface Run {
  /** Workspace id or link. */
  readonly key: string;
  readonly items: readonly Item[];
  readonly settings: Settings;
  /** Idempotency key from `newPress`: submitted twice, each call runs once. */
  readonly press: string;
}

/** Outcome of a batch start. */
export interface RunOutcome {
  /** Numbers of the acts. */
  readonly acts: readonly number[];
  readonly failed: readonly { readonly item: number; readonly name: string; readonly error: AtelierError }[];
  /** Items not started because the client reached its job limit. */
  readonly left: readonly number[];
}

/**
 * Starts a job for each item. A failed start does not affect the others, except for errors that would hit all of them, such as missing
 * credits: these stop the batch.
 */
export async function runOnItems(runnable: Runnable, run: Run, visit: Visit): Promise<RunOutcome> {
  const field = selectionField(runnable.fields);
  const items = field ? run.items.slice(0, RUN_ITEMS_MAX) : run.items.slice(0, 1);
  const failed: { item: number; name: string; error: AtelierError }[] = [];
  const acts: number[] = [];
  for (const [at, { item, name, caption }] of (field ? items : [items[0] ?? NO_ITEM]).entries()) {
    const settings = field ? { ...run.settings, [field.name]: `item:${item}` } : run.settings;
    try {
      const act = await startCall(visit, runnable.tool.name, {
        input: filledIn(runnable.params(settings, visit.visitor), { name, caption }),
        key: run.key,
        press: `${run.press}-${item}`,
      });
      acts.push(act);
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      if (error.status === 429 && acts.length > 0)
        return { acts, failed, left: items.slice(at).map((one) => one.item) };
      failed.push({ item, name, error });
      if (error.status === 402 || error.status === 429) break;
    }
  }
  return { acts, failed, left: [] };
}

/** Placeholder item for tools that take none; they run once. */
const NO_ITEM = { item: 0, name: '', caption: '' };

/** Replaces {name} and {caption} in the settings. */
const filledIn = (
  settings: Readonly<Record<string, unknown>>,
  texts: Pick<Item, 'name' | 'caption'>,
): Record<string, unknown> =>
  JSON.parse(JSON.stringify(settings), (_, value: unknown) =>
    typeof value === 'string'
      ? value.replace(PLACEHOLDER, (_match, name: keyof typeof texts) => texts[name])
      : value,
  );

const PLACEHOLDER = /\{(name|caption)\}/g;

interface Call {
  readonly input: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly press: string;
}

/** Starts one call into the workspace as a job. @returns the number of its act @throws AtelierError of the call */
export async function startCall(visit: Visit, tool: string, { input, key, press }: Call): Promise<number> {
  const idempotencyKey = createHash('sha256')
    .update(press + JSON.stringify(input))
    .digest('hex');
  const control = { ...input, workspace: key };
  const client = { ...visit.caller, respondAsync: true, idempotencyKey };
  const { body } = await callTool(visit.studio.context, tool, control, client);
  return (body as unknown as { workspace: { act: number } }).workspace.act;
}
