import type { Client, PipelineContext } from '../../../pipeline/types.ts';

/** Who reads, and what with. */
export interface Reader {
  readonly kit: PipelineContext;
  readonly caller: Client;
}

export interface ResourceContents {
  [key: string]: unknown;
  uri: string;
  mimeType: string;
}

export type Contents = ResourceContents & ({ blob: string } | { text: string });

/** Things of one kind that can be read at an address. */
export interface ResourceKind {
  /** `atelier://<kind>/`, with what an address of the kind begins. */
  readonly prefix: string;
  readonly template: {
    readonly uriTemplate: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType?: string;
  };
  /** Values of a variable of the template, to complete. */
  values?(variable: string, kit: PipelineContext): readonly string[];
  /** What there is for this reader, where it is few. */
  list?(reader: Reader): Promise<readonly Listed[]>;
  /** @param path what follows the prefix @throws AtelierError */
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
