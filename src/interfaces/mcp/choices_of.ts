import { inputJsonSchema } from '../../catalog/envelope_schema.ts';
import type { AnyContract } from '../../features/definitions/tool.ts';

/** The values of an enum field of a tool; empty for any other field. */
export function choicesOf(tool: AnyContract, field: string): readonly string[] {
  const properties = inputJsonSchema(tool, 'draft-2020-12').properties as Record<
    string,
    { enum?: unknown[] }
  >;
  return (properties[field]?.enum ?? []).map(String).filter((value) => value !== '');
}
