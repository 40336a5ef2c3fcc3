import type { z } from 'zod';
import type { Page } from '../../core/html/html_page.ts';
import type { RoomPath } from '../../core/html/rooms.ts';
import type { AnyOperation, OperationCall } from '../../features/definitions/operation.ts';
import type { AnyTool, Limit } from '../../features/definitions/tool.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';
import type { KeptSearch } from './collection/kept_searches.ts';
import type { KeptValues } from './kept_values.ts';
import type { LiveFigures } from './live_figures.ts';

/** A page for people: one value in its own file, and a line in `pages.ts`. */
export interface StudioPage<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Parameters in braces are part of `input`, as is the query. */
  readonly path: `/${string}`;
  /** What it stands under at the head; absent: in no room. */
  readonly room?: RoomPath;
  readonly input: Input;
  /** What it takes as a form that is posted; absent: it is only looked at. */
  readonly form?: { readonly bytesMax: number; readonly limit: Limit };
  /** Where looking at it costs more than looking. */
  readonly limit?: Limit;
  show(input: z.output<Input>, visit: Visit): Promise<Shown>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds pages of every input
export type AnyPage = StudioPage<any>;

export function definePage<Input extends z.ZodObject>(page: StudioPage<Input>): StudioPage<Input> {
  return page;
}

/** A page, or where to go instead. `cookie` is a value of Set-Cookie. */
export type Shown = (Page | { readonly goTo: string }) & { readonly cookie?: string };

/** One request of a browser. */
export interface Visit {
  readonly studio: Studio;
  readonly visitor: Visitor;
  /** For calls in the name of the visitor. */
  readonly caller: Client;
  readonly call: OperationCall;
  /** What was posted; absent: the page is looked at. */
  readonly form?: FormData;
}

/** Who looks, as their cookies say. */
export interface Visitor {
  readonly theme: 'auto' | 'light' | 'dark';
  /** What stands for the wallet: its address, a session or a key. Never shown. */
  readonly bearer?: string;
  /** Lower case; absent where the visitor is not signed in, or the session has expired. */
  readonly wallet?: string;
  /** The wallet was proved by a signature: what only its owner may is open. */
  readonly isOwner?: true;
  /** Whole credits; absent where the wallet is not registered, or its owner keeps it to themselves. */
  readonly credits?: number;
}

/** What every page may draw on. */
export interface Studio {
  readonly kit: PipelineContext;
  readonly tools: readonly AnyTool[];
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  readonly publicUrl: string;
  /** How the server is, as of a moment ago. */
  figures(): Promise<LiveFigures>;
  readonly startedAt: Date;
  /** What was searched for a moment ago, by its question. */
  readonly searches: KeptValues<KeptSearch>;
}
