import type Stripe from 'stripe';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { CardEvent } from './processor.ts';

/**
 * Which checkout or intent an event is about, whatever its type: objects of Stripe name the intent they belong to.
 * @param verified checks signature and age and throws where they do not hold
 * @throws AtelierError invalid_event
 */
export function stripeEvent(livemode: boolean, verified: () => Stripe.Event): CardEvent {
  let event: Stripe.Event;
  try {
    event = verified();
  } catch {
    throw new AtelierError(
      'invalid_event',
      'The signature of this event does not hold: it is missing, made with another secret or for another body, or older than five minutes.',
    );
  }
  const object = event.data?.object as
    | Partial<Record<'object' | 'id' | 'payment_intent', unknown>>
    | undefined;
  if (typeof event.id !== 'string' || typeof event.type !== 'string' || !object) {
    throw new AtelierError('invalid_event', 'This is not an event: it has no id, type or data.object.');
  }
  if (event.livemode !== livemode) {
    throw new AtelierError('invalid_event', 'This event is of another mode (live or test) than this server.');
  }
  const { id, type } = event;
  if (object.object === 'checkout.session') return { id, type, checkout: textOf(object.id) };
  if (object.object === 'payment_intent') return { id, type, intent: textOf(object.id) };
  return { id, type, intent: textOf(object.payment_intent) };
}

/** A reference is the id, or the object itself where it was expanded. */
function textOf(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference;
  const id = (reference as { id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}
