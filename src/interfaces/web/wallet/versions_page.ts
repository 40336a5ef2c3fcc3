import { html } from 'hono/html';
import { z } from 'zod';
import { listVersions } from '../../../features/assets/routes/earlier.ts';
import { ask } from '../ask.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { earlierThumb, FILE_ACTIONS, forgetField, forgetLink, forgetQuestion, thumb } from './file_rows.ts';
import { doneField } from './flash.ts';
import { rowButton } from './row_button.ts';
import { walletPart } from './wallet_part.ts';

const addressOf = (key: string): string => `/wallet/versions?${new URLSearchParams({ key })}`;

/** Current and earlier versions of a file. */
export const versionsPage = walletPart({
  name: 'wallet_versions',
  path: '/wallet/versions',
  title: 'Versions',
  input: z.object({ key: z.string().max(1_000).default(''), forget: forgetField, done: doneField }),
  acts: FILE_ACTIONS,
  addressOf: ({ key }) => addressOf(key),
  async body({ key, forget }, visit, wallet) {
    const path = addressOf(key);
    const { current, versions } = await ask(visit, listVersions, { wallet, key });
    return html`<p class="lead"><bdi>${key}</bdi></p><p class="quiet">Saving under the same key keeps the last 10 versions. <a href="/wallet/files">All files</a></p>
<section class="first"><h2>Current version</h2>
${
  current
    ? ledger(
        ['File', 'Size', 'Saved, UTC', ''],
        [[thumb(current), bytesLabel(current.size_bytes), momentLabel(current.updated_at), '']],
      )
    : html`<p class="quiet">This file was deleted. You can restore an earlier version.</p>`
}</section>
<section><h2>Earlier versions</h2>
${forgetQuestion(versions.filter(({ id }) => id === forget).map(({ id, saved_at: saved }) => ({ id, label: `the version of ${momentLabel(saved)}` }))[0], path)}
${
  versions.length === 0
    ? html`<p class="quiet">No earlier versions. Save a file under the same key to create one.</p>`
    : ledger(
        ['File', 'Size', 'Saved, UTC', ''],
        versions.map((version) => {
          const saved = momentLabel(version.saved_at);
          const about = `the version of ${saved}`;
          return [
            earlierThumb(version, version.deleted ? 'Deleted version' : 'Earlier version'),
            bytesLabel(version.size_bytes),
            saved,
            html`<span class="row end">${rowButton({ act: 'restore', field: 'id', value: version.id, label: 'Restore', about })}${forgetLink(path, version.id, about)}</span>`,
          ];
        }),
      )
}</section>`;
  },
});
