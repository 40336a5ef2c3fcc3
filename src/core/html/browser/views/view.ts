/** Common behaviour of views: waiting, result, quote or error, and next steps. */
import { button, create, say, shorten, textOf } from './elements.ts';
import { connectHost, type Fields, sayToModel, type ToolAnswer } from './host.ts';
import { costLine, fieldsOf, listOf, problemOf, quoteOf } from './money.ts';

/** A call and its response. */
export interface Shown {
  readonly input: Fields;
  readonly answer: ToolAnswer;
  /** Its `structuredContent`. */
  readonly body: Fields;
}

/** @param draw renders a response that is neither a quote nor an error */
export function openView(name: string, draw: (shown: Shown) => readonly Node[]): void {
  let input: Fields = {};
  const place = document.querySelector('#answer')!;
  const show = (answer: ToolAnswer): void => {
    const body = bodyOf(answer);
    say('');
    try {
      place.replaceChildren(...parts({ input, answer, body }));
    } catch {
      say('The response cannot be shown here. See the text response.');
    }
  };
  const parts = (shown: Shown): Node[] => {
    const { answer, body } = shown;
    if (answer.isError) return problemOf(shown, show);
    if (body.dry_run === true) return [...quoteOf(shown, show), ...warningsOf(body)];
    return [...draw(shown), ...warningsOf(body), ...nextOf(body), costLine(body)];
  };
  connectHost(`atelier ${name}`, {
    onInput(sent) {
      input = sent;
      say('Working …');
    },
    onAnswer: show,
    onCancelled: () => say('The call was cancelled.'),
  }).catch((error: Error) => say(`Failed to open this view: ${error.message}. See the text response.`));
}

/** Structured fields, else those parsed from the text. */
function bodyOf({ structuredContent, content = [] }: ToolAnswer): Fields {
  if (structuredContent) return structuredContent;
  const text = content.find(({ type }) => type === 'text')?.text ?? '';
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body as Fields;
  } catch {}
  return { detail: text };
}

const NOTES_MAX = 8;

function warningsOf({ warnings, degraded_reason: degraded }: Fields): Node[] {
  const texts = [degraded, ...(Array.isArray(warnings) ? warnings : [])].map(textOf).filter(Boolean);
  return texts.slice(0, NOTES_MAX).map((text) => create('p', shorten(text), 'note'));
}

const STEPS_MAX = 4;

/** Suggested next steps as buttons; the model runs them, with the usual questions of the host. */
function nextOf({ next_steps: steps }: Fields): Node[] {
  const buttons = listOf(steps)
    .map(fieldsOf)
    .flatMap(({ action, cost, tool: named, params = {} }) => {
      const tool = textOf(named);
      if (tool === '' || !textOf(action)) return [];
      const words = `${action}: call ${tool} with ${JSON.stringify(params)}`;
      return [button([action, cost].map(textOf).filter(Boolean).join(', '), () => sayToModel(words))];
    });
  if (buttons.length === 0) return [];
  return [create('nav', [create('h2', 'Next steps'), ...buttons.slice(0, STEPS_MAX)])];
}
