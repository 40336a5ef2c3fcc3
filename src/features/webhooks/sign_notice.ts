import { createHmac } from 'node:crypto';

/** What is signed: a change of any of the three is noticed. */
interface Notice {
  /** `webhook-id`. */
  readonly id: string;
  /** Of this attempt, in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature` by Standard Webhooks 1.0.0: one signature a secret, with a space between them. */
export const signNotice = (secrets: readonly string[], { id, timestamp, body }: Notice): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
