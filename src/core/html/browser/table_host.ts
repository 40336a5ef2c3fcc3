/** Interface of the table page for its shortcuts and forms. */
import type { TableState } from './table_state.ts';

export interface TableHost extends HTMLElement {
  readonly state: TableState;
  readonly selected: readonly number[];
  readonly mode: string;
  readonly canWork: boolean;
  readonly board: { setSelected(items: readonly number[]): void };
  readonly panel: { readonly tool: string | undefined; readonly view: string | undefined };
  say(text: string, hasFailed?: boolean): void;
  /** Sends a change of the table. @returns the response, or undefined after an error, which is announced */
  post<Answer>(path: string, body: object): Promise<Answer | undefined>;
  /** Hides the selected images, or moves them to the trash. */
  setAside(how: { readonly hidden: true } | { readonly deleted: true }): Promise<void>;
  refresh(): void;
  /** Handles started runs. @param acts numbers of their acts @param title display name */
  ran(acts: readonly number[], title: string): void;
  back(): void;
  openTool(name: string | undefined): void;
  select(items: readonly number[]): void;
  compare(): void;
}
