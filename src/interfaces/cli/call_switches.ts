import { JSON_SWITCH } from './json_fields.ts';
import { SERVER_SWITCHES, WALLET_SWITCH } from './server_switches.ts';

/** Where an answer goes. */
export const ANSWER_SWITCHES = {
  out: {
    value: '<file>',
    meaning: 'where the answer’s file goes; its ending decides the format. - is standard output',
  },
  ...JSON_SWITCH,
};

/** Switches that are about a call, beside the fields of the tool. */
export const CALL_SWITCHES = {
  ...ANSWER_SWITCHES,
  async: { meaning: 'make it a job that goes on if this command is stopped' },
  ...WALLET_SWITCH,
  ...SERVER_SWITCHES,
};
