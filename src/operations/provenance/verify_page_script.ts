/** What the page that checks a picture does in a browser. Nothing is inserted into this text: it reads the page it stands in. */
export const VERIFY_SCRIPT = `const at = (id) => document.getElementById(id);
const form = document.querySelector('form');
const status = form.querySelector('[role=status]');
const drop = form.querySelector('.drop');
const VERDICTS = {
  identical: 'Registered here, bit for bit',
  same_picture: 'A copy of a registered picture',
  altered: 'Made from a registered picture, and changed',
  conflicting: 'The witnesses contradict each other',
  unknown: 'Not known here',
};
const WITNESSES = {
  hash: 'Looks',
  watermark: 'Watermark',
  metadata: 'Embedded data',
  c2pa: 'C2PA manifest',
  file: 'The very file',
};
const FINDINGS = { agree: 'agrees', absent: 'nothing to say', conflict: 'contradicts' };
const percent = (share) => (share > 0 && share < 0.01 ? 'less than 1' : Math.round(100 * share)) + '\\u00a0%';
let running = 0;
let shown;

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function answerOf(reply) {
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.detail);
  return answer;
}

async function check(file) {
  const run = ++running;
  const tell = (text, failed) => {
    if (run !== running) return;
    status.textContent = text;
    status.classList.toggle('failed', Boolean(failed));
  };
  at('answer').hidden = true;
  tell('Sending the picture …');
  try {
    const { uploads, verify } = form.dataset;
    const type = file.type || 'application/octet-stream';
    const upload = await answerOf(await fetch(uploads, { method: 'POST', headers: { 'Content-Type': type }, body: file }));
    tell('Asking the witnesses …');
    const answer = await answerOf(
      await fetch(verify, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ image: upload.uri }),
      }),
    );
    if (run !== running) return;
    tell('');
    show(answer, file);
  } catch (error) {
    tell(error instanceof TypeError ? 'The server could not be reached. Please try again.' : error.message, true);
  }
}

function show(answer, file) {
  at('verdict').textContent = VERDICTS[answer.verdict];
  at('answer').dataset.verdict = answer.verdict;
  at('summary').textContent = [answer.summary, ...(answer.warnings ?? [])].join(' ');
  showMatch(answer);
  at('witnesses').replaceChildren(
    ...answer.witnesses.map(({ witness, finding, sentence }) => {
      const item = element('li', '', finding);
      item.append(element('b', WITNESSES[witness] + ': ' + FINDINGS[finding]), sentence);
      return item;
    }),
  );
  showDifference(answer.difference, file);
  at('answer').hidden = false;
  at('verdict').focus();
}

function showMatch({ best_match: match, confidence, chance_match: chance, computed_hash: hash, total_matches: total }) {
  const rows = match
    ? [
        ['Title', match.title || 'not given'],
        ['Artist', match.artist || 'not given'],
        ['Registered as', match.credit_id],
        ['Permanent record', match.provenance_uri],
        ['Confidence', percent(confidence)],
        ['By chance', chance === null ? '' : chance < 1e-9 ? 'less than once in a thousand million' : 'about once in ' + Math.round(1 / chance)],
        ['Others that match', total > 1 ? String(total - 1) : ''],
      ]
    : [];
  rows.push(['Hash (PDQ)', hash]);
  at('match').replaceChildren(
    ...rows.filter(([, value]) => value).flatMap(([name, value]) => [element('dt', name), element('dd', value)]),
  );
}

function showDifference(difference, file) {
  at('difference').hidden = !difference;
  if (!difference) return;
  if (shown) URL.revokeObjectURL(shown);
  shown = URL.createObjectURL(file);
  at('sent').src = shown;
  at('heat').src = 'data:image/png;base64,' + difference.heat_map_b64;
  const regions = difference.changed_regions;
  at('heat').alt = regions.length > 0 ? 'Map of changes; they are listed below' : 'Map of changes; none were found';
  at('marks').replaceChildren(
    ...regions.map(({ polygon }) => {
      const mark = document.createElementNS('http://www.w3.org/2000/svg', 'polygon');
      mark.setAttribute('points', polygon.map((point) => point.join(',')).join(' '));
      return mark;
    }),
  );
  at('changes').replaceChildren(...changes(difference).map((text) => element('li', text)));
}

function changes({ crop_box: box, rotation_degrees: degrees, mirrored, changed_regions: regions, beyond_share: beyond }) {
  const said = [];
  if (mirrored) said.push('It is mirrored.');
  if (Math.abs(degrees) >= 0.5) said.push('It is turned by ' + Math.abs(degrees) + '° ' + (degrees < 0 ? 'anticlockwise.' : 'clockwise.'));
  if (box.width * box.height < 0.98) said.push('It shows ' + percent(box.width * box.height) + ' of the registered picture: from ' + percent(box.x) + ' to ' + percent(box.x + box.width) + ' of its width, from ' + percent(box.y) + ' to ' + percent(box.y + box.height) + ' of its height.');
  if (beyond > 0.02) said.push(percent(beyond) + ' of it lies outside the registered picture, such as a frame.');
  for (const { polygon, share } of regions) {
    const middle = (axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length;
    said.push('A place ' + percent(middle(0)) + ' from the left and ' + percent(middle(1)) + ' from the top was changed: ' + percent(share) + ' of the picture.');
  }
  return said.length > 0 ? said : ['Nothing but what saving and scaling do.'];
}

form.addEventListener('submit', (event) => event.preventDefault());
at('file').addEventListener('change', ({ target }) => {
  if (target.files[0]) check(target.files[0]);
  target.value = '';
});
for (const name of ['dragenter', 'dragover']) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
for (const name of ['dragleave', 'drop']) document.addEventListener(name, () => drop.classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) check(file);
  else status.textContent = 'That was no file. Save the picture first, then drop it here.';
});
document.addEventListener('paste', ({ clipboardData }) => {
  const [file] = clipboardData.files;
  if (file) check(file);
});
`;
