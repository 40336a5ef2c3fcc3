import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import type { EngineChoice, Enriched, Enrichment, LookingEyes } from '../types.ts';

/**
 * Reports a degraded response if no network that recognises subjects named any, unless the client chose the built-in engine.
 * @param seen the named subjects; absent before the image has been examined, when networks may still name some
 */
export async function blindness(
  { hasModel, eyes, isUncalibrated }: Pick<Enrichment, 'hasModel' | 'eyes' | 'isUncalibrated'>,
  engine: EngineChoice,
  seen?: Pick<Enriched, 'subjectsCount'>,
): Promise<{ degraded: true; degraded_reason: string } | undefined> {
  if (hasModel || engine === 'built_in') return undefined;
  const installed = await eyes();
  if (namesSubjects(installed) && seen?.subjectsCount !== 0) return undefined;
  const mends = (await isUncalibrated()) ? ` ${CALIBRATE}` : '';
  return { degraded: true, degraded_reason: `${NO_MODEL} ${unseenText(installed)}${mends} ${REMEDY}` };
}

/**
 * What is to be said before networks have looked that name only what they are sure of: whether the answer will be degraded shows when they have.
 * Undefined where it is known already.
 */
export async function mayNameNothing(
  enrichment: Parameters<typeof blindness>[0],
  engine: EngineChoice,
): Promise<string | undefined> {
  if (enrichment.hasModel || engine === 'built_in' || !namesSubjects(await enrichment.eyes()))
    return undefined;
  const reason = await blindness(enrichment, engine, { subjectsCount: 0 });
  return `Whether the networks here are sure of anything in this picture shows when they have looked; of most paintings they are not. Where they name nothing the answer is degraded, also with a title sent, and says: ${reason!.degraded_reason}`;
}

/** Form can be measured, subjects cannot: a sentence from the caller is worth more than any guess. */
export const subjectAdvice = (
  { context, title }: Pick<Given, 'context' | 'title'>,
  eyes: LookingEyes,
): string =>
  `The built-in analyst measures form: it does not know what is depicted, and ${unseenClause(eyes)}. ${
    context || title
      ? 'What you say is shown was used as given and not compared with the picture.'
      : 'Say what is shown in `title` and `context`, and both are used as given.'
  }`;

/** What networks have looked for and why what is shown is not known; a clause. */
function unseenClause(eyes: LookingEyes): string {
  if (namesSubjects(eyes)) return 'networks have looked for things and scenes and were sure of none';
  const sought = SOUGHT.flatMap(([eye, what]) => (eyes[eye] ? [what] : []));
  return sought.length > 0
    ? `networks have looked for ${new Intl.ListFormat('en-GB').format(sought)} alone`
    : 'no network has looked for anything';
}

/** A pair of encoders is among the networks that look only where it may name something. */
const namesSubjects = ({ tagger, embedder }: LookingEyes): boolean =>
  tagger !== undefined || embedder !== undefined;

function unseenText(eyes: LookingEyes): string {
  const clause = `${unseenClause(eyes).replace(/^n/u, 'N')}.`;
  return namesSubjects(eyes) ? clause : `${clause} ${PULL}`;
}

/** A network for people alone finds no one: it says how much of the picture those with a face take up. */
const SOUGHT = [
  ['faces', 'faces'],
  ['writing', 'lines of writing'],
  ['rating', 'nudity'],
] as const satisfies readonly (readonly [keyof LookingEyes, string])[];

const NO_MODEL = 'No vision model is set up on this server: the built-in analyst has measured form.';
const PULL = '"atelier models pull vision" brings small networks that name things and scenes.';
const CALIBRATE =
  'The pair of encoders that is installed names subjects once "atelier models calibrate" has measured it on labelled pictures.';
const REMEDY =
  'The operator mends it with VISION_PROVIDER and VISION_MODEL (and VISION_API_KEY, or VISION_BASE_URL for a model of their own).';
