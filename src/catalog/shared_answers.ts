import type { z } from 'zod';
import { metadataAnswer } from '../features/definitions/carry_fields.ts';
import { qualityAnswer } from '../features/definitions/quality_answer.ts';
import type { AnyTool } from '../features/definitions/tool.ts';

interface SharedAnswer {
  /** Of its description in OpenAPI. */
  readonly name: string;
  readonly field: z.ZodType;
}

const SHARED: Readonly<Record<string, SharedAnswer>> = {
  quality: { name: 'Quality', field: qualityAnswer.quality.unwrap() },
  metadata: { name: 'CarriedMetadata', field: metadataAnswer.metadata },
};
const FIELDS: Readonly<Record<string, z.ZodType>> = { ...qualityAnswer, ...metadataAnswer };

/** Fields a tool answers with that others answer with too, which OpenAPI describes once; by name of the field. */
export function sharedAnswersOf({ output }: Pick<AnyTool, 'output'>): Readonly<Record<string, SharedAnswer>> {
  return Object.fromEntries(Object.entries(SHARED).filter(([name]) => output.shape[name] === FIELDS[name]));
}
