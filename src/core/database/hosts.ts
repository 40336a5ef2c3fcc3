/**
 * Splits a connection string into one per server, as libpq does: `postgres://user@one:5432,two:5432/atelier` names two servers, one of
 * which is the primary. PostgreSQL documentation, section 34.1.1.3.
 */
export function readHosts(databaseUrl: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] =
    /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(databaseUrl) ?? [];
  return hosts.split(',').map((host) => before + host + after);
}
