import type { z } from 'zod';
import type { Page } from '../../core/html/html_page.ts';
import type { SectionPath } from '../../core/html/sections.ts';
import type { AnyOperation, OperationCall } from '../../features/definitions/operation.ts';
import type { AnyTool, Limit } from '../../features/definitions/tool.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';
import type { CachedSearch } from './collection/search_cache.ts';
import type { LiveFigures } from './live_figures.ts';
import type { CachedValues } from './value_cache.ts';

/** A page of the studio: one value in its own file, listed in `pages.ts`. */
export interface StudioPage<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Parameters in braces are part of `input`, as is the query. */
  readonly path: `/${string}`;
  /** Navigation entry to highlight. Unset: none. */
  readonly room?: SectionPath;
  readonly input: Input;
  /** Limits of posted forms. Unset: the page takes no POST. */
  readonly form?: { readonly bytesMax: number; readonly limit: Limit };
  /** Rate limit for GET requests that are expensive. */
  readonly limit?: Limit;
  show(input: z.output<Input>, visit: Visit): Promise<Shown>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds pages of every input
export type AnyPage = StudioPage<any>;

export function definePage<Input extends z.ZodObject>(page: StudioPage<Input>): StudioPage<Input> {
  return page;
}

/** A page or a redirect. `cookie` is a value of Set-Cookie. */
export type Shown = (Page | { readonly goTo: string }) & { readonly cookie?: string };

/** One request of a browser. */
export interface Visit {
  readonly studio: Studio;
  readonly visitor: Visitor;
  /** Client for calls on behalf of the visitor. */
  readonly caller: Client;
  readonly call: OperationCall;
  /** Posted form. Unset for GET. */
  readonly form?: FormData;
}

/** The visitor identified by cookies. */
export interface Visitor {
  readonly theme: 'auto' | 'light' | 'dark';
  /** Bearer token: wallet address, session or API key. Never shown. */
  readonly bearer?: string;
  /** Wallet address in lower case. Unset if the visitor is not signed in or the session has expired. */
  readonly wallet?: string;
  /** The wallet is verified by a signature: owner actions are available. */
  readonly isOwner?: true;
  /** Balance in whole credits. Unset if the wallet is not registered or its balance is private. */
  readonly credits?: number;
}

/** Dependencies of every page. */
export interface Studio {
  readonly context: PipelineContext;
  readonly tools: readonly AnyTool[];
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  readonly publicUrl: string;
  /** Cached server status. */
  figures(): Promise<LiveFigures>;
  readonly startedAt: Date;
  /** Recent search results by query. */
  readonly searches: CachedValues<CachedSearch>;
}
