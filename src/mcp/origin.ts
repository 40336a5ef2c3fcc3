const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a page of this origin may call here. A page that rebinds its own name to this server still sends that name
 * as Origin, so the Host header is never taken as proof. Requests without Origin do not come from a page.
 */
export function mayCall(
  origin: string | null,
  { publicUrl, allowedOrigins }: { publicUrl: string; allowedOrigins: readonly string[] },
): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { origin: wanted, hostname } = new URL(origin);
  return (
    LOCAL_NAMES.has(hostname) || [publicUrl, ...allowedOrigins].some((known) => sameOrigin(known, wanted))
  );
}

const sameOrigin = (known: string, origin: string): boolean =>
  URL.canParse(known) && new URL(known).origin === origin;
