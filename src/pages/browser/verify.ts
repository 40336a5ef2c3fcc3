/** Sends a picture that was chosen, dropped or pasted, and shows what is known of it. */
import { findElement } from './find_element.ts';
import { postToServer } from './post_to_server.ts';
import {
  CODEX_STATES,
  type Codex,
  type Difference,
  describeCodex,
  describeDifference,
  describeMatch,
  describePolicy,
  type EvidenceRow,
  FINDINGS,
  LAWS,
  STATUSES,
  sureOfWhisper,
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
const codex = findElement('#codex', HTMLElement);
const whisper = findElement('#whisper', HTMLElement);
const message = findElement('#message', HTMLElement);
const sender = findElement('#sender', HTMLElement);
const content = findElement('#content', HTMLElement);
const sureness = findElement('#sureness', HTMLElement);
const facts = findElement('#facts', HTMLElement);
const policy = findElement('#policy', HTMLElement);
const statements = findElement('#statements', HTMLElement);
const conflicts = findElement('#conflicts', HTMLElement);
const evidence = findElement('#evidence', HTMLElement);
const laws = findElement('#laws', HTMLElement);
const difference = findElement('#difference', HTMLElement);
const sentFigure = findElement('#sent-figure', HTMLElement);
const sent = findElement('#sent', HTMLImageElement);
const heat = findElement('#heat', HTMLImageElement);
const marks = findElement('#marks', SVGElement);
const changes = findElement('#changes', HTMLElement);

/** The picture that was asked about last; what is answered about an earlier one is not shown any more. */
let latest: File | string | undefined;
/** Pictures of this server that a link may ask about: opening one sends nothing elsewhere. */
const HANDLE = /^(result|upload|artwork):[\w.-]+$/;

const asked = new URLSearchParams(location.search).get('image');
if (asked !== null && HANDLE.test(asked)) void check(asked);
else if (asked !== null)
  say('A link can ask about result:…, upload:… and artwork:… only. Choose the picture itself.', 'failed');

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

async function check(picture: File | string): Promise<void> {
  latest = picture;
  answer.hidden = true;
  try {
    const image = await handleOf(picture);
    if (picture === latest) say('Asking the witnesses …');
    const found = await postToServer<Verification>('/api/tools/verify_provenance', { image });
    if (picture !== latest) return;
    say('');
    show(found, picture);
  } catch (error) {
    if (picture === latest) say((error as Error).message, 'failed');
  }
}

async function handleOf(picture: File | string): Promise<string> {
  if (typeof picture === 'string') return picture;
  say('Sending the picture …');
  const { uri } = await postToServer<{ uri: string }>('/api/uploads', picture);
  return uri;
}

function say(text: string, how?: 'failed'): void {
  status.textContent = text;
  status.classList.toggle('failed', how === 'failed');
}

function show(found: Verification, picture: File | string): void {
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
  showCodex(found.codex);
  showPolicy(found.rights_policy);
  evidence.hidden = !found.ai_evidence;
  laws.replaceChildren(...(found.ai_evidence ? sheetOf(found.ai_evidence) : []));
  difference.hidden = !found.difference;
  if (found.difference) showDifference(found.difference, picture);
  answer.hidden = false;
  verdict.focus();
}

function showCodex(found: Codex | null): void {
  codex.hidden = !found;
  if (!found) return;
  const { soul_whisper: said, state } = found;
  whisper.hidden = !said;
  message.textContent = said?.message ?? '';
  sender.textContent = [said?.sender && `From ${said.sender}.`, sureOfWhisper(found)]
    .filter(Boolean)
    .join(' ');
  const rows = describeCodex(found);
  content.hidden = rows.length === 0;
  sureness.textContent = CODEX_STATES[state];
  facts.replaceChildren(...rows.flatMap(([name, value]) => [create('dt', name), create('dd', value)]));
}

function showPolicy(found: Verification['rights_policy']): void {
  policy.hidden = !found;
  statements.replaceChildren(
    ...(found ? describePolicy(found) : []).flatMap(([name, value]) => [
      create('dt', name),
      create('dd', value),
    ]),
  );
  conflicts.replaceChildren(...(found?.conflicts ?? []).map((text) => create('li', text)));
}

/** A heading and a list for each law, in the order of the rows. */
function sheetOf(rows: readonly EvidenceRow[]): HTMLElement[] {
  return [...Map.groupBy(rows, ({ law }) => law)].flatMap(([law, measures]) => {
    const list = create('ul', '');
    list.append(...measures.map(measureOf));
    return [create('h4', LAWS[law]), list];
  });
}

function measureOf({ measure, title, status, by, tested }: EvidenceRow): HTMLElement {
  const item = create('li', '');
  item.className = status;
  item.append(create('b', `${measure} ${title}: ${STATUSES[status]}`), by);
  if (tested !== null) item.append(create('small', tested));
  return item;
}

function showDifference(found: Difference, picture: File | string): void {
  URL.revokeObjectURL(sent.src);
  sentFigure.hidden = typeof picture === 'string';
  if (typeof picture !== 'string') sent.src = URL.createObjectURL(picture);
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
