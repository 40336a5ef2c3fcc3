/** Runs the tool calls of a guide in order and shows the responses. */
import { imageAddress } from './live_preview.ts';
import { uploadFile } from './post_to_server.ts';

interface Call {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Response fields shown as images. */
interface Answer {
  readonly result?: string;
  readonly result_url?: string;
  readonly zip_url?: string;
  readonly image_b64?: string;
  readonly content_type?: string;
  readonly svg_content?: string;
  readonly files?: readonly { readonly image_b64?: string; readonly content_type?: string }[];
}

/** Longer strings, such as file contents, are shortened. */
const STRING_CHARACTERS_MAX = 200;
const IMAGES_MAX = 4;

/** Sample uploads, one per page. */
const uploads = new Map<string, Promise<string>>();

customElements.define(
  'at-calls',
  class extends HTMLElement {
    connectedCallback() {
      const { calls = '[]', sample = '', note = '' } = this.dataset;
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'bare';
      button.textContent = 'Run here';
      const said = document.createElement('span');
      said.className = 'small quiet';
      said.textContent = note;
      const answers = document.createElement('div');
      answers.setAttribute('role', 'status');
      button.addEventListener('click', async () => {
        button.disabled = true;
        answers.replaceChildren();
        await runAll(JSON.parse(calls) as Call[], sample, answers);
        button.disabled = false;
        button.textContent = 'Run again';
      });
      this.replaceChildren(button, said, answers);
    }
  },
);

/** Stops at the first failed call, because later calls depend on it. */
async function runAll(calls: readonly Call[], sample: string, answers: HTMLElement): Promise<void> {
  let result = '';
  for (const call of calls) {
    const place = document.createElement('section');
    place.append(line(`${call.tool} …`));
    answers.append(place);
    try {
      const answer = await send(call, await handlesOf(call, { sample, result }));
      place.replaceChildren(line(call.tool), ...seenOf(answer), textOf(answer));
      result = answer.result ?? result;
    } catch (error) {
      const failure = line(`${call.tool}: ${(error as Error).message}`);
      failure.classList.add('failed');
      place.replaceChildren(failure);
      return;
    }
  }
}

/** Handles for the placeholders of a guide. */
async function handlesOf(
  { params }: Call,
  { sample, result }: { sample: string; result: string },
): Promise<ReadonlyMap<string, string>> {
  const handles = new Map([['result:<id>', result]]);
  if (JSON.stringify(params).includes('upload:<id>')) {
    const upload = uploads.get(sample) ?? uploadSample(sample);
    uploads.set(sample, upload);
    upload.catch(() => uploads.delete(sample));
    handles.set('upload:<id>', await upload);
  }
  return handles;
}

async function uploadSample(address: string): Promise<string> {
  const bytes = await (await fetch(address)).blob();
  // Without the hash in the name.
  const name = address
    .split('/')
    .at(-1)!
    .replace(/\.\w+(?=\.\w+$)/, '');
  return uploadFile(new File([bytes], name, { type: bytes.type }));
}

async function send({ tool, params }: Call, handles: ReadonlyMap<string, string>): Promise<Answer> {
  const body = JSON.stringify(params, (_, value: unknown) =>
    typeof value === 'string' ? (handles.get(value) ?? value) : value,
  );
  const headers = { 'Content-Type': 'application/json' };
  const reply = await fetch(`/api/tools/${tool}`, { method: 'POST', headers, body });
  const answer = (await reply.json()) as Answer & { readonly detail?: string };
  if (!reply.ok) throw new Error(answer.detail ?? `The server returned status ${reply.status}.`);
  return answer;
}

/** Images, or a link to a file of another kind. */
function seenOf(answer: Answer): HTMLElement[] {
  const images = imagesOf(answer);
  const address = answer.result_url ?? answer.zip_url;
  return images.length > 0 || address === undefined ? images : [linkTo(address)];
}

function linkTo(address: string): HTMLParagraphElement {
  const link = document.createElement('a');
  link.href = address;
  link.textContent = 'Open result';
  const paragraph = line('');
  paragraph.append(link);
  return paragraph;
}

function imagesOf({ image_b64, content_type, svg_content, files = [] }: Answer): HTMLImageElement[] {
  const addresses = [{ image_b64, content_type }, ...files]
    .filter((file) => file.image_b64 && file.content_type?.startsWith('image/'))
    .map((file) => imageAddress(file.image_b64!, file.content_type!));
  if (svg_content) addresses.push(URL.createObjectURL(new Blob([svg_content], { type: 'image/svg+xml' })));
  return addresses.slice(0, IMAGES_MAX).map((address) => {
    const image = new Image();
    image.src = address;
    image.alt = 'Result';
    return image;
  });
}

function textOf(answer: Answer): HTMLElement {
  const text = document.createElement('pre');
  text.tabIndex = 0;
  text.textContent = JSON.stringify(answer, shortened, 2);
  return text;
}

const shortened = (_: string, value: unknown): unknown =>
  typeof value === 'string' && value.length > STRING_CHARACTERS_MAX
    ? `${value.slice(0, 60)}… (${value.length.toLocaleString('en')} characters)`
    : value;

function line(text: string): HTMLParagraphElement {
  const paragraph = document.createElement('p');
  paragraph.className = 'small';
  paragraph.textContent = text;
  return paragraph;
}
