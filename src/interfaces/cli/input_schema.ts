import type { Body } from '@atelier/client/transport.ts';

/** The part of a field's JSON Schema that the command line uses. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: FieldSchema;
  readonly contentMediaType?: string;
}

/** The part of the get_tool_schema response that the command line uses. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly price: { readonly credit: number; readonly usd: number };
  readonly fields: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
  /** Names of the response fields. */
  readonly answerFields: readonly string[];
  readonly examples: readonly Body[];
}

export function toolDescription(answer: Body): ToolDescription {
  const {
    input_schema: schema,
    output_schema: output,
    ...rest
  } = answer as Body & {
    input_schema: { properties?: Record<string, FieldSchema>; required?: string[] };
    output_schema: AnswerSchema;
  };
  // A switch of `atelier call` has this name and the same effect.
  const { async: _, ...fields } = schema.properties ?? {};
  return {
    ...(rest as unknown as ToolDescription),
    fields,
    required: schema.required ?? [],
    answerFields: [...new Set(fieldNames(output))],
  };
}

interface AnswerSchema {
  readonly properties?: Record<string, unknown>;
  readonly anyOf?: readonly AnswerSchema[];
  readonly oneOf?: readonly AnswerSchema[];
}

/** The fields of all variants of a response. */
const fieldNames = ({ properties = {}, anyOf = [], oneOf = [] }: AnswerSchema): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf].flatMap(fieldNames),
];

/** Whether a field takes the bytes of a file, or a handle. */
export const takesFile = ({ contentMediaType }: FieldSchema): boolean => contentMediaType !== undefined;

export const isBoolean = ({ type }: FieldSchema): boolean => type === 'boolean';

/** `crop_marks` → `--crop-marks` */
export const flagOf = (field: string): string => `--${field.replaceAll('_', '-')}`;
