import { JSON_SWITCH } from './json_fields.ts';
import { SERVER_SWITCHES, WALLET_SWITCH } from './server_switches.ts';

/** Switches for the output of a result. */
export const ANSWER_SWITCHES = {
  out: {
    value: '<file>',
    meaning: 'output file; the extension sets the format. Use - for standard output',
  },
  ...JSON_SWITCH,
};

/** Switches of a call, in addition to the fields of the tool. */
export const CALL_SWITCHES = {
  ...ANSWER_SWITCHES,
  async: { meaning: 'run as a background job that continues if you stop this command' },
  ...WALLET_SWITCH,
  ...SERVER_SWITCHES,
};
