/** The page of a table, as its keys and forms use it. */
import type { TableState } from './table_state.ts';

export interface TableHost extends HTMLElement {
  readonly state: TableState;
  readonly selected: readonly number[];
  readonly mode: string;
  readonly canWork: boolean;
  readonly board: { setSelected(items: readonly number[]): void };
  readonly panel: { readonly tool: string | undefined; readonly view: string | undefined };
  say(text: string, hasFailed?: boolean): void;
  /** Sends a change of the table. @returns the answer; undefined where it was refused, which is said */
  post<Answer>(path: string, body: object): Promise<Answer | undefined>;
  /** Hides the selected images, or moves them to the trash. */
  setAside(how: { readonly hidden: true } | { readonly deleted: true }): Promise<void>;
  refresh(): void;
  /** Runs were started by a press: the numbers of their acts, and what people call it. */
  ran(acts: readonly number[], title: string): void;
  back(): void;
  openTool(name: string | undefined): void;
  select(items: readonly number[]): void;
  compare(): void;
}
