import type { z } from 'zod';
import { metadataAnswer } from '../tools/creative/carry_fields.ts';
import { qualityAnswer } from '../tools/creative/quality_answer.ts';

/** Fields many tools answer with, each with the name under which OpenAPI describes it once. */
export const SHARED_ANSWERS: Readonly<Record<string, { readonly name: string; readonly field: z.ZodType }>> =
  {
    quality: { name: 'Quality', field: qualityAnswer.quality },
    metadata: { name: 'CarriedMetadata', field: metadataAnswer.metadata },
  };
