import { assessCondition, type Condition } from '@atelier/imaging/upscale/condition.ts';

/** Classifies an image as clean, or degraded by compression or noise. */
export const runCondition = ({ bytes }: { readonly bytes: Uint8Array }): Promise<Condition> =>
  assessCondition(bytes);
