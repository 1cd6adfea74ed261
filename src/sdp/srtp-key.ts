import { altered, type CryptoLine, cryptoLinesOf, type MediaDescription } from './sdp.js';

/** The SRTP suite that every trunk may use (RFC 4568 §6.2). */
export const srtpSuite = 'AES_CM_128_HMAC_SHA1_80';

/** Octets of key and salt by suite (RFC 4568 §6.2, RFC 6188 §4, RFC 7714 §14.1). The others are for trunks where the operator allows them. */
const keyOctets = {
  AES_CM_128_HMAC_SHA1_80: 30,
  AES_CM_128_HMAC_SHA1_32: 30,
  AES_256_CM_HMAC_SHA1_80: 46,
  AEAD_AES_128_GCM: 28,
  AEAD_AES_256_GCM: 44,
} as const;
export type SrtpSuite = keyof typeof keyOctets;
export const srtpSuites = Object.keys(keyOctets) as readonly SrtpSuite[];

/** A tag of 32 bits authenticates weakly: such a suite is accepted where it is allowed, and never offered. */
export const offeredSuites = (allowed: readonly SrtpSuite[]): readonly SrtpSuite[] =>
  allowed.filter((suite) => !suite.endsWith('_32'));

/** Key and salt, lifetime, MKI with its length; further keys after a semicolon (RFC 4568 §6.1). */
const keySyntax =
  /^inline:([A-Za-z0-9+/]{36,64}={0,2})(?:\|(?:2\^([1-9]\d?)|[1-9]\d{0,14}))?(?:\|(\d{1,20}):([1-9]\d{0,2}))?(?:;.*)?$/i;

/** Neither weakens the stream nor changes how its keys are derived (RFC 4568 §6.3; a leading `-` marks what may be ignored). */
const harmlessParameter = /^(?:KDR=0|WSH=\d{1,10}|-\S*)$/i;

const longestMki = 128;
const longestLifetimeExponent = 48;

/**
 * The `a=crypto` line rebuilt from its parsed fields: tag, suite, the first key and its MKI. The lifetime is left
 * out: no call lasts for 2^31 packets. Undefined: another suite, or no usable key.
 */
export function acceptableKey({
  tag,
  suite,
  keyParameters,
  sessionParameters,
}: CryptoLine): string | undefined {
  const [whole, key, exponent = '1', mki, mkiLength = '1'] = keySyntax.exec(keyParameters) ?? [];
  const isUsable =
    isKnown(suite) &&
    /^\d{1,9}$/.test(tag) &&
    whole !== undefined &&
    isLong(key, keyOctets[suite]) &&
    Number(exponent) <= longestLifetimeExponent &&
    Number(mkiLength) <= longestMki &&
    sessionParameters.split(/ +/).every((each) => each === '' || harmlessParameter.test(each));
  if (!isUsable) return undefined;
  return `a=crypto:${tag} ${suite} inline:${key}${mki === undefined ? '' : `|${mki}:${mkiLength}`}`;
}

const isKnown = (suite: string): suite is SrtpSuite => Object.hasOwn(keyOctets, suite);

/** Base64 of so many octets, with its padding or without. */
const isLong = (key: string | undefined, octets: number): boolean =>
  key !== undefined &&
  Buffer.from(key, 'base64').length === octets &&
  key.replace(/=+$/, '').length === Math.ceil((octets * 4) / 3);

/** A media description without the keys of other suites. */
export const withSuites = (media: MediaDescription, allowed: readonly string[]): MediaDescription =>
  altered(media, {
    lines: media.lines.filter(
      (line) =>
        !/^a=crypto:/i.test(line) ||
        cryptoLinesOf(altered(media, { lines: [line] })).some(({ suite }) => allowed.includes(suite)),
    ),
  });

/** The first key of a media description that we can use, as a line. */
export const keyLineOf = (media: MediaDescription): string | undefined =>
  cryptoLinesOf(media)
    .map(acceptableKey)
    .find((line) => line !== undefined);
