import type { Claimed } from './delivery_store.ts';
import { signNotice } from './sign_notice.ts';

/** A delivery as it goes over the wire at a moment: the body is the same in every attempt, its signature is not. */
export function noticeOf(
  { eventId, type, at, data, secret, earlierSecret }: Claimed,
  { publicUrl, now }: { publicUrl: string; now: Date },
): { headers: Record<string, string>; body: string } {
  const { url } = data;
  const absolute = typeof url === 'string' ? { ...data, url: publicUrl + url } : data;
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data: absolute });
  const timestamp = Math.floor(now.getTime() / 1000);
  const secrets = earlierSecret === null ? [secret] : [secret, earlierSecret];
  return {
    body,
    headers: {
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signNotice(secrets, { id: eventId, timestamp, body }),
    },
  };
}
