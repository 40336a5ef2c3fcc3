import type { Outlook, OutlookContext } from '../../definitions/tool.ts';
import type { EngineChoice, Enrichment } from '../types.ts';
import { blindness, mayNameNothing } from './blindness.ts';

/** What a dry run says of who will look at the picture, and whether the answer will be degraded. */
export async function sightOutlook(
  enrichment: Parameters<typeof blindness>[0] & Pick<Enrichment, 'modelRefusal'>,
  engine: EngineChoice,
  asked: Pick<OutlookContext, 'address' | 'callerKey'>,
): Promise<Outlook> {
  const [refused, open] = await Promise.all([
    enrichment.modelRefusal(engine, asked),
    mayNameNothing(enrichment, engine),
  ]);
  return {
    ...(open === undefined
      ? ((await blindness(enrichment, engine)) ?? { degraded: false })
      : { pending: { check: 'sight', detail: open } }),
    ...(refused !== undefined && { refusal: { check: 'vision', detail: refused } }),
  };
}
