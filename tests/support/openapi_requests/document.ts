/** The parts that are read of the served OpenAPI document (3.0.3). */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

interface DescribedOperation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The keywords of JSON Schema that the document uses for requests. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** One method of one path, with references resolved. */
export interface Operation {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Media type of the body; absent: no body. */
  readonly bodyType?: string;
  /** Schema of a JSON body. */
  readonly body?: Schema;
  readonly examples: readonly unknown[];
  /** Names of the authentication schemes; empty: public. */
  readonly schemes: readonly string[];
}

export const operationsOf = ({ paths, components }: OpenApi): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody, security = [] }]) => {
      const [bodyType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
      return {
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((one) =>
          '$ref' in one ? components.parameters[one.$ref.split('/').at(-1)!]! : one,
        ),
        ...(bodyType && { bodyType }),
        ...(bodyType === 'application/json' && media?.schema && { body: media.schema }),
        schemes: security.flatMap((one) => Object.keys(one)),
        examples: Object.values(media?.examples ?? {}).map(({ value }) => value),
      };
    }),
  );
