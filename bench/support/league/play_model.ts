import type { Client } from '@modelcontextprotocol/client';
import { dynamicTool, generateText, jsonSchema, type LanguageModel, stepCountIs } from 'ai';
import type { Job, World } from './job.ts';
import { sendCall, type Trip } from './send_call.ts';

/** Maximum calls of a model for one job. */
const STEPS_MAX = 6;

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'];

/**
 * Gives a model only the list of tools and the request: it chooses tools, reads the responses and continues
 * until it is done.
 */
export async function playModel(
  model: LanguageModel,
  client: Client,
  { job, world, listed }: { job: Job; world: World; listed: Listed },
): Promise<Trip[]> {
  const trips: Trip[] = [];
  const tools = listed.map(({ name, description, inputSchema }) => [
    name,
    dynamicTool({
      ...(description && { description }),
      inputSchema: jsonSchema(inputSchema as object),
      execute: async (args) => {
        const trip = await sendCall(client, [name, args as Record<string, unknown>], job);
        trips.push(trip);
        return trip.answer;
      },
    }),
  ]);
  await generateText({
    model,
    tools: Object.fromEntries(tools),
    stopWhen: [stepCountIs(STEPS_MAX), () => trips.at(-1)?.isDone === true],
    system: 'Do what is asked with the tools at hand. Ask nothing back.',
    prompt: `${atHand(world)}\n\n${job.wish}`,
  });
  return trips;
}

const atHand = ({ photo, logo, marked, wallet }: World): string =>
  `The photo is ${photo}, the logo ${logo}, the picture that may be marked ${marked}. My wallet is ${wallet}.`;
