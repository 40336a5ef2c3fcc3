/** High limits, so that a suite can make as many calls as it needs; the limits have tests of their own. */
export const UNLIMITED = {
  FREE_TOOLS_PER_HOUR: '1000000',
  PAID_TOOLS_PER_MINUTE: '1000000',
  MCP_PER_MINUTE: '1000000',
  REGISTRATIONS_PER_HOUR: '1000000',
  REGISTRATIONS_PER_DAY: '1000000',
  REGISTRATIONS_PER_DAY_OF_ALL: '1000000',
  REFUSALS_PER_MINUTE: '1000000',
  CPU_SECONDS_BURST: '1000000',
};
