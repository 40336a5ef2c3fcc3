import { type BodySource, requireWholeBody, tooLarge } from './read_body.ts';
import { brokenOff, tooSlow, watchPace } from './read_incoming.ts';

/**
 * A body piece by piece, for whoever uses it as it comes; what is not taken stays unread.
 * @throws AtelierError payload_too_large, body_too_slow, unreadable_request, unsupported_media_type
 */
export async function* streamBody(
  { incoming, request, onReceived }: Pick<BodySource, 'incoming' | 'request' | 'onReceived'>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  requireWholeBody(request);
  if ((Number(request.headers.get('content-length')) || 0) > maxBytes) throw tooLarge(maxBytes);
  const slow = Promise.withResolvers<never>();
  slow.promise.catch(() => {});
  const pace = watchPace(() => slow.reject(tooSlow()));
  const pieces = (incoming?.iterator({ destroyOnReturn: false }) ?? request.body?.[Symbol.asyncIterator]()) as
    | AsyncIterator<Uint8Array>
    | undefined;
  const leave = (error: unknown) => Promise.reject(brokenOff(error));
  let size = 0;
  try {
    while (pieces) {
      const { value, done } = await Promise.race([pieces.next().catch(leave), slow.promise]);
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      pace.countBytes(value.byteLength);
      onReceived?.(value.byteLength);
      // Nobody is slow while we are.
      pace.wait();
      yield value;
      pace.goOn();
    }
  } finally {
    pace.end();
  }
}
