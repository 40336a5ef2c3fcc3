import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import { isPublicAddress } from '../../../core/outbound_http/public_address.ts';
import { isPrivate } from '../../../core/outbound_http/whereabouts.ts';
import type { Reader, Reading, Telemetry } from '../../../core/telemetry/types.ts';
import { type Described, describeService } from './describe_service.ts';

/** The metrics of this process, with how its rooms are, for whoever may read them. */
export function openReading(
  config: Config,
  { telemetry, ...described }: Omit<Described, 'limits'> & { readonly telemetry: Telemetry },
): Reading {
  const { PIXELS_IN_FLIGHT_MAX: pixelsInFlight, BYTES_IN_MEMORY_MAX: bytesInMemory } = config;
  describeService(telemetry, { ...described, limits: { pixelsInFlight, bytesInMemory } });
  return { mayRead: openDoor(config), exposition: telemetry.exposition };
}

/**
 * Whoever has the token. Without one, callers of this machine or its private network that no proxy stands before, as long as the server is not on
 * the internet: behind a proxy on this machine every stranger would come from here.
 */
function openDoor(config: Config): Reading['mayRead'] {
  const { METRICS_TOKEN: token } = config;
  if (token !== undefined) return ({ bearer = '' }) => timingSafeEqual(digestOf(bearer), digestOf(token));
  const isOpen = isPrivate(config);
  return (reader) => isOpen && !isForwarded(reader) && !isPublicAddress(reader.address);
}

/** Proxies say so when they hand on the request of somebody else. */
const isForwarded = ({ header }: Reader): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => header(name) !== undefined);

/** Of one length, whatever was sent. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
