/**
 * Checks proofs of the transparency log without asking anybody. No dependencies; Node 16 or later.
 *
 *   curl -s https://the-service/.well-known/jwks.json > jwks.json                      once, from a place you trust
 *   curl -s 'https://the-service/api/log/inclusion?entry=archive:<tx>' > proof.json
 *   node verify-log.mjs jwks.json proof.json                                           the entry is in the log
 *   node verify-log.mjs jwks.json proof.json receipt.txt                               … and it is that of this receipt
 *   curl -s 'https://the-service/api/log/consistency?first=<tree_size of old>' > newer.json
 *   node verify-log.mjs jwks.json newer.json old.json                                  the log only grew since old.json
 *
 * Prints what was proved and leaves with 0, or says what does not fit and leaves with 1.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [keysFile, proofFile, otherFile] = process.argv.slice(2);
if (!proofFile) fail('Usage: node verify-log.mjs <jwks.json> <proof.json> [receipt.txt or old.json]');
const { keys } = JSON.parse(readFileSync(keysFile, 'utf8'));
const proof = JSON.parse(readFileSync(proofFile, 'utf8'));
const head = headOf(proof);
if (proof.inclusion_path) checkInclusion();
else if (proof.consistency_path) checkConsistency();
else fail(`${proofFile} holds neither inclusion_path nor consistency_path.`);

function checkInclusion() {
  if (otherFile) {
    const receipt = readFileSync(otherFile, 'utf8').trim();
    const entry = `receipt:${createHash('sha256').update(receipt).digest('hex')}`;
    if (entry !== proof.entry) fail(`The proof is of ${proof.entry}, and the receipt is ${entry}.`);
  }
  const root = inclusionRoot(
    proof.index,
    head.tree_size,
    hash(0, Buffer.from(proof.entry)),
    bytesOf(proof.inclusion_path),
  );
  if (!root?.equals(Buffer.from(head.root_hash, 'hex'))) fail('The path does not lead to the signed root.');
  console.log(`${proof.entry} is entry ${proof.index} of ${head.tree_size}, signed by ${head.iss}.`);
  checkStamped();
}

/** That the entry is in the head an authority stamped. The stamp itself is for `openssl ts -verify`. */
function checkStamped() {
  const { time_stamp: stamp } = proof;
  if (!stamp?.token) return;
  const stamped = headOf(stamp);
  const leaf = hash(0, Buffer.from(proof.entry));
  const root = inclusionRoot(proof.index, stamped.tree_size, leaf, bytesOf(stamp.inclusion_path));
  if (!root?.equals(Buffer.from(stamped.root_hash, 'hex')))
    fail('The path does not lead to the stamped root.');
  console.log(
    `It is in the head of ${stamped.tree_size} entries that time_stamp.token is of. Check the token with openssl ts -verify.`,
  );
}

function checkConsistency() {
  if (!otherFile) fail('Name the older proof or head as well.');
  const old = headOf(JSON.parse(readFileSync(otherFile, 'utf8')));
  if (old.tree_size !== proof.first || head.tree_size !== proof.second) {
    fail(
      `The proof is of ${proof.first} and ${proof.second} entries; the heads have ${old.tree_size} and ${head.tree_size}.`,
    );
  }
  const path = bytesOf(proof.consistency_path);
  const oldRoot = Buffer.from(old.root_hash, 'hex');
  const fits =
    old.tree_size === head.tree_size
      ? path.length === 0 && old.root_hash === head.root_hash
      : isConsistent(old.tree_size, head.tree_size, {
          oldRoot,
          newRoot: Buffer.from(head.root_hash, 'hex'),
          path,
        });
  if (!fits) fail('The log was changed: its older part is not the beginning of the newer.');
  console.log(`The log of ${old.tree_size} entries is the beginning of that of ${head.tree_size}.`);
}

/** RFC 9162, 2.1.3.2 */
function inclusionRoot(index, size, leaf, path) {
  let [node, last, root] = [index, size - 1, leaf];
  if (index >= size) return undefined;
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      root = hash(1, sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      root = hash(1, root, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : undefined;
}

/** RFC 9162, 2.1.4.2, for sizes that differ. */
function isConsistent(first, second, { oldRoot, newRoot, path }) {
  const isPower = Number.isInteger(Math.log2(first));
  const [start, ...rest] = isPower ? [oldRoot, ...path] : path;
  if (!start) return false;
  let [node, last] = [first - 1, second - 1];
  while (node % 2 === 1) [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  let [older, newer] = [start, start];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [older, newer] = [hash(1, sibling, older), hash(1, sibling, newer)];
      while (node % 2 === 0 && node !== 0) [node, last] = [node / 2, Math.floor(last / 2)];
    } else {
      newer = hash(1, newer, sibling);
    }
    [node, last] = [Math.floor(node / 2), Math.floor(last / 2)];
  }
  return last === 0 && older.equals(oldRoot) && newer.equals(newRoot);
}

/** The signed head, which must say the same as the fields beside it. */
function headOf(answer) {
  const parts = String(answer.tree_head).split('.');
  if (parts.length !== 3) fail('There is no signed tree_head.');
  const [header, claims] = parts
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  if (header.alg !== 'EdDSA' || header.typ !== 'tree-head+jwt')
    fail('This is no tree head: its header names another kind.');
  const key = keys.find(({ kid }) => kid === header.kid);
  if (!key) fail(`It is signed with the key ${header.kid}, which ${keysFile} does not have.`);
  if (key.kty !== 'OKP' || key.crv !== 'Ed25519') fail(`The key ${header.kid} is no Ed25519 key.`);
  const signed = Buffer.from(`${parts[0]}.${parts[1]}`);
  const publicKey = createPublicKey({ key, format: 'jwk' });
  if (!verify(null, signed, publicKey, Buffer.from(parts[2], 'base64url')))
    fail('The signature of the tree head does not fit.');
  checkRevocation(key, claims);
  return claims;
}

/** What a key that was taken back has signed. A thief dates what they sign as they like. */
function checkRevocation({ kid, revoked }, { iat }) {
  if (!revoked) return;
  const day = new Date(revoked.revoked_at * 1000).toISOString();
  if (revoked.reason === 'compromised') {
    fail(
      `The key ${kid} was stolen, and revoked on ${day}. Only what stands in the transparency log before key_revoked:${kid}:compromised counts.`,
    );
  }
  if (!(iat < revoked.revoked_at)) fail(`The key ${kid} was revoked on ${day}, before this was signed.`);
}

function hash(prefix, ...parts) {
  const made = createHash('sha256').update(Buffer.of(prefix));
  for (const part of parts) made.update(part);
  return made.digest();
}

function bytesOf(path) {
  return path.map((text) => Buffer.from(text, 'hex'));
}

function fail(reason) {
  console.error(`NOT VALID: ${reason}`);
  process.exit(1);
}
