import { z } from 'zod';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';

const CACHE_SECONDS = 300;

export const serverIdentity = defineOperation({
  name: 'server_identity',
  methods: ['GET'],
  path: '/.well-known/atelier-identity.json',
  tag: 'provenance',
  summary:
    'Who vouches for the key this server signs with: domains and a wallet, and where to look. It tells whose word a signature is, not that the word is true.',
  input: z.object({}),
  answer: z.object({
    issuer: z.string(),
    kid: z.string(),
    says: z.string().describe('What a signature of the key means, and what it does not.'),
    vouchers: z.array(
      z.object({
        kind: z.enum(['domain', 'wallet']),
        name: z.string().describe('The domain, or the address of the wallet.'),
        dns_name: z.string().optional().describe('Name of a TXT record that holds `line`.'),
        url: z.string().optional().describe('A text that has `line` as one of its own; either is enough.'),
        line: z.string().optional(),
        message: z.string().optional().describe('What the wallet has signed (EIP-191).'),
        signature: z.string().optional(),
      }),
    ),
    to_vouch: z
      .object({ line: z.string(), message: z.string() })
      .describe('What a domain has to publish, and a wallet to sign, for the key of today.'),
    c2pa_certificate_sha256: z
      .string()
      .nullable()
      .describe(
        'Of the certificate C2PA manifests are signed with, as DER; the key vouches for it in `jws`.',
      ),
    keys: z.array(
      z.object({
        kid: z.string(),
        first_used: z.iso.datetime(),
        log_entry: z.string().describe('For /api/log/inclusion.'),
        revoked_at: z.iso.datetime().nullable(),
        revocation: z
          .string()
          .nullable()
          .describe('Its entry in the log; null while the key may sign. It ends with the reason.'),
      }),
    ),
    jws: z.string().describe('Compact JWS (EdDSA) of the key over issuer, certificate and vouchers.'),
  }),
  cacheSeconds: CACHE_SECONDS,
  async run(_input, { identity }: Pick<Services, 'identity'>) {
    const { issuer, key, domains, wallet, line, message, keys, jws, certificateSha256 } =
      await identity.read();
    return {
      issuer,
      kid: key.kid,
      says: `The holder of this key says what it signs. A voucher says that the holder is whoever serves ${issuer}. Neither makes true what is said.`,
      vouchers: [
        ...domains.map(({ domain, dnsName, url }) => ({
          ...{ kind: 'domain' as const, name: domain, dns_name: dnsName, url, line },
        })),
        ...(wallet
          ? [{ kind: 'wallet' as const, name: wallet.wallet, message, signature: wallet.signature }]
          : []),
      ],
      to_vouch: { line, message },
      c2pa_certificate_sha256: certificateSha256 ?? null,
      keys: keys.map(({ kid, firstUsed, revoked }) => ({
        ...{ kid, first_used: firstUsed.toISOString(), log_entry: `key:${kid}` },
        revoked_at: revoked?.at.toISOString() ?? null,
        revocation: revoked ? `key_revoked:${kid}:${revoked.reason}` : null,
      })),
      jws,
    };
  },
});
