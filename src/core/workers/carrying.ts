import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { Result } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';

/** Without a wish nothing goes over, and nothing is told. */
export interface Carrying {
  readonly carry?: CarryWish;
}

/** `fraction` from 0 to 1; `message` for a person. */
export type OnProgress = (fraction: number, message: string) => void;

/** What is told without a wish. */
export const NOTHING: CarriedMetadata = { kept: [], changed: [], dropped: [] };

/**
 * An engine whose result takes over what its source says about itself. In the same process, so that no picture is copied between
 * processes for it.
 */
export const carrying =
  <Input extends { readonly bytes: Uint8Array }, Made extends Result>(
    run: (input: Input, onProgress: OnProgress) => Promise<Made>,
  ) =>
  async (
    { carry, ...input }: Input & Carrying,
    onProgress: OnProgress,
  ): Promise<Made & { metadata: CarriedMetadata }> => {
    const made = await run(input as unknown as Input, onProgress);
    if (!carry) return { ...made, metadata: NOTHING };
    const { carryMetadata } = await import('@atelier/imaging/metadata/passthrough/carry_metadata.ts');
    return { ...made, ...(await carryMetadata((input as unknown as Input).bytes, made, carry)) };
  };
