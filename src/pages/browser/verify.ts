/** Sends a picture that was chosen, dropped or pasted, and shows what is known of it. */
import { findElement } from './find_element.ts';
import { postToServer } from './post_to_server.ts';
import {
  type Difference,
  describeDifference,
  describeMatch,
  FINDINGS,
  VERDICTS,
  type Verification,
  WITNESSES,
} from './verification_words.ts';

const form = findElement('form', HTMLFormElement);
const chooser = findElement('#file', HTMLInputElement);
const drop = findElement('.drop', HTMLElement);
const status = findElement('form [role=status]', HTMLElement);
const answer = findElement('#answer', HTMLElement);
const verdict = findElement('#verdict', HTMLElement);
const summary = findElement('#summary', HTMLElement);
const match = findElement('#match', HTMLElement);
const witnesses = findElement('#witnesses', HTMLElement);
const difference = findElement('#difference', HTMLElement);
const sent = findElement('#sent', HTMLImageElement);
const heat = findElement('#heat', HTMLImageElement);
const marks = findElement('#marks', SVGElement);
const changes = findElement('#changes', HTMLElement);

/** The picture that was sent last; what is answered about an earlier one is not shown any more. */
let latest: File | undefined;

form.addEventListener('submit', (event) => event.preventDefault());
chooser.addEventListener('change', () => {
  const [file] = chooser.files ?? [];
  if (file) void check(file);
  chooser.value = '';
});
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const name of ['dragleave', 'drop'])
  document.addEventListener(name, () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer?.files ?? [];
  if (file) void check(file);
  else say('That was no file. Save the picture first, then drop it here.');
});
document.addEventListener('paste', ({ clipboardData }) => {
  const [file] = clipboardData?.files ?? [];
  if (file) void check(file);
});

async function check(file: File): Promise<void> {
  latest = file;
  answer.hidden = true;
  say('Sending the picture …');
  try {
    const { uri } = await postToServer<{ uri: string }>('/api/uploads', file);
    if (file === latest) say('Asking the witnesses …');
    const found = await postToServer<Verification>('/api/tools/verify_provenance', { image: uri });
    if (file !== latest) return;
    say('');
    show(found, file);
  } catch (error) {
    if (file === latest) say((error as Error).message, 'failed');
  }
}

function say(text: string, how?: 'failed'): void {
  status.textContent = text;
  status.classList.toggle('failed', how === 'failed');
}

function show(found: Verification, file: File): void {
  verdict.textContent = VERDICTS[found.verdict];
  answer.dataset.verdict = found.verdict;
  summary.textContent = [found.summary, ...(found.warnings ?? [])].join(' ');
  match.replaceChildren(
    ...describeMatch(found).flatMap(([name, value]) => [create('dt', name), create('dd', value)]),
  );
  witnesses.replaceChildren(
    ...found.witnesses.map(({ witness, finding, sentence }) => {
      const item = create('li', '');
      item.className = finding;
      item.append(create('b', `${WITNESSES[witness]}: ${FINDINGS[finding]}`), sentence);
      return item;
    }),
  );
  difference.hidden = !found.difference;
  if (found.difference) showDifference(found.difference, file);
  answer.hidden = false;
  verdict.focus();
}

function showDifference(found: Difference, file: File): void {
  URL.revokeObjectURL(sent.src);
  sent.src = URL.createObjectURL(file);
  heat.src = `data:image/png;base64,${found.heat_map_b64}`;
  heat.alt =
    found.changed_regions.length > 0
      ? 'Map of changes; they are listed below'
      : 'Map of changes; none were found';
  marks.replaceChildren(
    ...found.changed_regions.map(({ polygon }) => {
      const mark = document.createElementNS('http://www.w3.org/2000/svg', 'polygon');
      mark.setAttribute('points', polygon.map((point) => point.join(',')).join(' '));
      return mark;
    }),
  );
  changes.replaceChildren(...describeDifference(found).map((text) => create('li', text)));
}

function create(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
