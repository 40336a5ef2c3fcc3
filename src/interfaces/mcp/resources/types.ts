import type { Client, PipelineContext } from '../../../pipeline/types.ts';

/** The reader, and its dependencies. */
export interface Reader {
  readonly context: PipelineContext;
  readonly caller: Client;
}

export interface ResourceContents {
  [key: string]: unknown;
  uri: string;
  mimeType: string;
}

export type Contents = ResourceContents & ({ blob: string } | { text: string });

/** Resources of one kind, at one URI template. */
export interface ResourceKind {
  /** `atelier://<kind>/`, the beginning of its URIs. */
  readonly prefix: string;
  readonly template: {
    readonly uriTemplate: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType?: string;
  };
  /** Values of a variable of the template, to complete. */
  values?(variable: string, context: PipelineContext): readonly string[];
  /** The resources of this reader, if there are few. */
  list?(reader: Reader): Promise<readonly Listed[]>;
  /** @param path the part after the prefix @throws AtelierError */
  read(path: string, uri: string, reader: Reader): Promise<Contents>;
}

export interface Listed {
  [key: string]: unknown;
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly mimeType?: string;
  readonly size?: number;
}
