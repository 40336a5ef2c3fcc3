import type { Pixels } from '../../../core/workers/types.ts';
import type { Manifests } from '../manifests/types.ts';
import type { Marks } from '../marks/types.ts';
import type { Soulmarks } from '../soulmarks/types.ts';
import { readAiMark, writeAiMark } from './ai_mark.ts';
import { markedAsAi } from './ai_statements.ts';
import { policyIn } from './policy.ts';
import { sheetFor } from './sheet.ts';
import type { Evidence } from './types.ts';

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly manifests: Pick<Manifests, 'read'>;
  readonly soulmarks: Pick<Soulmarks, 'read'>;
  readonly marks: Pick<Marks, 'find'>;
}

export function createEvidence({ pixels, manifests, soulmarks, marks }: Parts): Evidence {
  return {
    async read(bytes, control, layers) {
      const [claims, manifest] = await Promise.all([
        pixels.run('read_metadata', { bytes }, control),
        manifests.read(bytes, control),
      ]);
      if (!layers.pixels) return { claims, manifest };
      const soulmark = await soulmarks.read(bytes, control);
      const mark = await pixels.run('watermark_detect', { bytes }, control);
      const kept =
        mark.payload === undefined && mark.id !== undefined ? await marks.find(mark.id) : undefined;
      const watermark = {
        text: mark.payload ?? kept?.payload,
        isLookedUp: kept !== undefined,
        falsePositiveProbability: mark.falsePositiveProbability,
      };
      return { claims, manifest, soulmark, watermark };
    },
    policyIn,
    markedAsAi,
    sheetFor,
    marks: { write: writeAiMark, read: readAiMark },
  };
}
