import { isSecret } from '../../../config/config.ts';
import { SETTINGS } from '../../../config/settings.ts';
import { readHosts } from '../../../core/database/hosts.ts';
import { defineCommand } from '../command.ts';
import { JSON_SWITCH, pickRows } from '../json_fields.ts';
import { configOf } from '../setting_switches.ts';
import { printableJson, replaceControls, table } from '../terminal.ts';

export const configCommand = defineCommand({
  name: 'config',
  summary: 'list all settings with value and description; secrets are hidden',
  words: '',
  example: 'atelier config',
  switches: JSON_SWITCH,

  async run({ values }, world) {
    const { stdout } = world.terminal;
    const config = configOf({}, world);
    const rows = Object.entries(SETTINGS).map(([name, [, meaning]]) => ({
      name,
      value: replaceControls(shownValue(name, config[name as keyof typeof config])),
      meaning,
    }));
    stdout.write(
      values.json === undefined
        ? table(
            rows.map((row) => Object.values(row)),
            stdout,
          )
        : printableJson(pickRows(rows, values.json)),
    );
    return 0;
  },
});

/** The value of a setting without secrets, so that the operator can share the output. */
export function shownValue(name: string, value: unknown): string {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return '(not set)';
  if (name === 'DATABASE_URL') return withoutPassword(String(value));
  if (isSecret(name)) return '(hidden)';
  if (URL.canParse(String(value))) return withoutSecrets(name, new URL(String(value)), String(value));
  return Array.isArray(value) ? value.join(',') : String(value);
}

function withoutPassword(text: string): string {
  const [first] = readHosts(text);
  if (first === undefined || !URL.canParse(first)) return '(hidden)';
  const url = new URL(first);
  const hosts = readHosts(text).map((one) => new URL(one).host);
  return `${url.protocol}//${url.username ? `${url.username}@` : ''}${hosts.join(',')}${url.pathname}`;
}

/** RPC providers put the account key into the path of EVM_RPC_URL; any other URL may contain a password. */
function withoutSecrets(name: string, url: URL, text: string): string {
  const { protocol, username, password, host, pathname } = url;
  if (name === 'EVM_RPC_URL' && pathname !== '/') return `${protocol}//${host}/(hidden)`;
  return username || password ? `${protocol}//(hidden)@${host}${pathname}` : text;
}
