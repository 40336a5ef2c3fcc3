import { type Condition, conditionOf } from '@atelier/imaging/upscale/condition.ts';

/** Whether a picture is clean, or spoiled by compression or noise. */
export const runCondition = ({ bytes }: { readonly bytes: Uint8Array }): Promise<Condition> =>
  conditionOf(bytes);
