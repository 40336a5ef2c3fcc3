import type { Client } from '@modelcontextprotocol/client';
import type { Answer, FirstCall, Job } from './job.ts';
import { sendCall, type Trip } from './send_call.ts';

/** Maximum attempts of a job. */
const TRIPS_MAX = 3;

/**
 * Sends a first call, and after an error the call that the error suggests: uses nothing beyond the response.
 */
export async function playScripted(client: Client, job: Job, first: FirstCall): Promise<Trip[]> {
  const trips: Trip[] = [];
  let call: FirstCall | undefined = first;
  while (call && trips.length < TRIPS_MAX) {
    const trip: Trip = await sendCall(client, call, job);
    trips.push(trip);
    call = trip.isDone ? undefined : advised(trip);
  }
  return trips;
}

function advised({ tool, args, answer }: Trip): FirstCall | undefined {
  if (answer?.try) return [tool, answer.try as Answer];
  const [near] = answer?.did_you_mean ?? [];
  return near ? [near, args] : undefined;
}
