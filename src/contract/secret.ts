import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** A secret that cannot be opened: other key, or not what was sealed. Never says more, never carries the secret. */
export class SecretError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretError';
  }
}

/** What a sealed value belongs to: in another place it cannot be opened. */
export interface SecretPlace {
  readonly kind:
    | 'agent credential'
    | 'agent key'
    | 'agent stream'
    | 'idempotent answer'
    | 'number'
    | 'porting document'
    | 'porting information'
    | 'trunk'
    | 'webhook endpoint'
    | 'webhooks';
  /** Its id. */
  readonly organization: string;
  /** Of the row, unique for the kind and organization; empty: all rows of the organization are one place. */
  readonly id: string;
}

/** Of the passwords in the documents of numbers: one trunk may serve thousands of numbers with the same password. */
export const numberPlace = (organization: string): SecretPlace => ({
  kind: 'number',
  organization,
  id: '',
});

/** Of the passwords of agents, which are in the documents of all numbers of the organization. */
export const agentCredentialPlace = (organization: string): SecretPlace => ({
  kind: 'agent credential',
  organization,
  id: '',
});

/** Of the header fields and signing secrets of WebSocket agents, which are in the documents of numbers as well. */
export const streamPlace = (organization: string): SecretPlace => ({
  kind: 'agent stream',
  organization,
  id: '',
});

/** What edges read too: those of release 0.1 read it unbound alone. */
const readByEdges: ReadonlySet<SecretPlace['kind']> = new Set(['agent credential', 'number']);

const version = 'v1';
/** Bound to a place. */
const boundVersion = 'v2';
const ivLength = 12;
const tagLength = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
  /** For ciphers: Node.js 24 takes ten times as long for octets, because it looks for a key in them by an exception. */
  readonly object: KeyObject;
  /** Keys derived from it, by purpose: a handful, each of which costs more than a signature. */
  readonly derived: Map<string, KeyObject>;
}

const keyIdLength = 8;
/** What is authenticated with the text. JSON, so that no two places look the same. */
const headOf = (keyId: string, place: SecretPlace | undefined): Buffer =>
  Buffer.from(
    place === undefined
      ? `${version}:${keyId}`
      : JSON.stringify([boundVersion, keyId, place.kind, place.organization, place.id]),
  );

const octetsHead = ({ id }: Key): string => `${version}b:${id}:`;
const octetsHeadLength = `${version}b::`.length + keyIdLength;

const isHexKey = (text: string): boolean => /^[0-9a-fA-F]{64}$/.test(text);

/** 32 bytes as 64 hex digits, base64 or base64url: a short password is not a key. */
export const isSecretKey = (text: string): boolean => isHexKey(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text);

/** Throws `SecretError` for what is no key. */
function readKey(text: string): Key {
  if (!isSecretKey(text)) {
    throw new SecretError('A secret key must be 32 bytes in hex, base64 or base64url.');
  }
  const isHex = isHexKey(text);
  const bytes = isHex ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  const id = createHash('sha256')
    .update('demarc key id')
    .update(bytes)
    .digest('base64url')
    .slice(0, keyIdLength);
  return { id, bytes, object: createSecretKey(bytes), derived: new Map() };
}

/** A key for the purpose alone (HKDF, RFC 5869). */
function derivedKey({ bytes, derived: keys }: Key, purpose: string): KeyObject {
  let derived = keys.get(purpose);
  if (derived === undefined) {
    derived = createSecretKey(Buffer.from(hkdfSync('sha256', bytes, '', `demarc ${purpose}`, 32)));
    keys.set(purpose, derived);
  }
  return derived;
}

const signatureOf = (key: Key, purpose: string, text: string): Buffer =>
  createHmac('sha256', derivedKey(key, purpose)).update(text).digest();

/** A fresh random key in base64url. */
export const generateSecretKey = (): string => randomBytes(32).toString('base64url');

/**
 * Seals and opens short secrets with AES-256-GCM: `v1:<key id>:<base64url of iv, tag, ciphertext>`, `v2:…` when bound to a place.
 * The key id is derived from the key and identifies the key to open with; it is authenticated with the text, and so is the place.
 */
export class SecretBox {
  private readonly keys: readonly Key[];

  /**
   * @param keys the current key first, then earlier ones that still open. Throws `SecretError` for one that is no key.
   * @param unbound `refuse`: what should be bound to a place and is not, is not opened. Earlier releases bound nothing.
   */
  constructor(
    keys: readonly string[],
    private readonly unbound: 'accept' | 'refuse' = 'accept',
    /** False: what edges read is sealed unbound, as all releases of edges read it. */
    private readonly bindsForEdges = false,
  ) {
    this.keys = keys.map(readKey);
  }

  /** False: nothing can be sealed or opened. */
  get hasKey(): boolean {
    return this.keys.length > 0;
  }

  /** False: `open` would fail for want of its key. */
  knowsKeyOf(sealed: string): boolean {
    return this.keys.some(({ id }) => id === sealed.split(':')[1]);
  }

  /**
   * Seals with the current key. Throws `SecretError` without one.
   * @param place absent: the secret belongs nowhere, as a decoy
   */
  seal(secret: string, place?: SecretPlace): string {
    const bound = this.boundTo(place);
    const key = this.keys[0];
    if (key === undefined)
      throw new SecretError('DEMARC_SECRET_KEY is not set, so secrets cannot be encrypted.');
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', key.object, iv);
    cipher.setAAD(headOf(key.id, bound));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return `${bound === undefined ? version : boundVersion}:${key.id}:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
  }

  /** Throws `SecretError` when the key is unknown, or the text was changed or sealed for another place. */
  open(sealed: string, place?: SecretPlace): string {
    const [format, id, encoded, ...rest] = sealed.split(':');
    const isBound = format === boundVersion;
    if ((format !== version && !isBound) || id === undefined || encoded === undefined || rest.length > 0) {
      throw new SecretError('Not an encrypted secret.');
    }
    if (isBound && place === undefined) throw new SecretError('The secret was encrypted for another place.');
    // What edges read is unbound until the operator has all of it bound.
    if (!isBound && place !== undefined && !readByEdges.has(place.kind) && this.unbound === 'refuse')
      throw new SecretError('The secret is not bound to its place.');
    const key = this.keys.find((candidate) => candidate.id === id);
    if (key === undefined) throw new SecretError('The secret was encrypted with another key.');
    const bytes = Buffer.from(encoded, 'base64url');
    if (bytes.length < ivLength + tagLength) throw new SecretError('Not an encrypted secret.');
    const decipher = createDecipheriv('aes-256-gcm', key.object, bytes.subarray(0, ivLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(headOf(id, isBound ? place : undefined));
    decipher.setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
    try {
      const text = decipher.update(bytes.subarray(ivLength + tagLength));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new SecretError('The encrypted secret is corrupt.', { cause: error });
    }
  }

  /** The same 32 bytes in each process that has the current key; undefined without one. */
  keyFor(purpose: string): KeyObject | undefined {
    const key = this.keys[0];
    return key === undefined ? undefined : derivedKey(key, purpose);
  }

  /** HMAC-SHA256 with the current key: `<key id>.<base64url>`. Throws `SecretError` without a key. */
  sign(purpose: string, text: string): string {
    const key = this.keys[0];
    if (key === undefined) throw new SecretError('DEMARC_SECRET_KEY is not set, so nothing can be signed.');
    return `${key.id}.${signatureOf(key, purpose, text).toString('base64url')}`;
  }

  /** True if `sign` made the signature for that purpose and text, with the current key or an earlier one. */
  isSignature(signature: string, purpose: string, text: string): boolean {
    const [id, encoded, ...rest] = signature.split('.');
    const key = this.keys.find((candidate) => candidate.id === id);
    if (key === undefined || encoded === undefined || rest.length > 0) return false;
    const sealedBytes = Buffer.from(encoded, 'base64url');
    const expected = signatureOf(key, purpose, text);
    return sealedBytes.length === expected.length && timingSafeEqual(sealedBytes, expected);
  }

  /** As `seal`, for octets: `v1b:<key id>:`, iv, tag and ciphertext. The parts are sealed as one. */
  sealOctets(...parts: readonly (string | Buffer)[]): Buffer {
    const key = this.keys[0];
    if (key === undefined)
      throw new SecretError('DEMARC_SECRET_KEY is not set, so nothing can be encrypted.');
    const head = Buffer.from(octetsHead(key));
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv('aes-256-gcm', key.object, iv);
    cipher.setAAD(head);
    const sealed = parts.map((part) =>
      typeof part === 'string' ? cipher.update(part, 'utf8') : cipher.update(part),
    );
    cipher.final();
    return Buffer.concat([head, iv, cipher.getAuthTag(), ...sealed]);
  }

  /** Throws `SecretError` when the key is unknown or the octets were changed. */
  openOctets(sealed: Buffer): Buffer {
    const start = sealed.toString('latin1', 0, octetsHeadLength);
    const key = this.keys.find((candidate) => octetsHead(candidate) === start);
    const textStart = start.length + ivLength + tagLength;
    if (key === undefined || sealed.length < textStart)
      throw new SecretError('Not encrypted octets, or encrypted with another key.');
    const iv = sealed.subarray(start.length, start.length + ivLength);
    const decipher = createDecipheriv('aes-256-gcm', key.object, iv, { authTagLength: tagLength });
    decipher.setAAD(Buffer.from(start));
    decipher.setAuthTag(sealed.subarray(start.length + ivLength, textStart));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()]);
    } catch (error) {
      throw new SecretError('The encrypted octets are corrupt.', { cause: error });
    }
  }

  /** True when the secret should be sealed again: an earlier key sealed it, or it is bound and should not be, or the reverse. */
  isOutdated(sealed: string, place?: SecretPlace): boolean {
    const [format, id] = sealed.split(':');
    const requiredVersion = this.boundTo(place) === undefined ? version : boundVersion;
    return this.keys[0] !== undefined && (id !== this.keys[0].id || format !== requiredVersion);
  }

  /** The place that a secret is bound to when it is sealed now. */
  private boundTo(place: SecretPlace | undefined): SecretPlace | undefined {
    return place === undefined || this.bindsForEdges || !readByEdges.has(place.kind) ? place : undefined;
  }

  /** With the current key, and bound. Throws `SecretError` as `open` does. */
  reseal(sealed: string, place?: SecretPlace): string {
    return this.seal(this.open(sealed, place), place);
  }
}
