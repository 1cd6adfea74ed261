import { type CryptoLine, cryptoLinesOf, type MediaDescription } from './sdp.js';

/** The only SRTP suite on trunk legs (RFC 4568 §6.2). */
export const srtpSuite = 'AES_CM_128_HMAC_SHA1_80';

/** Key and salt of 30 octets, lifetime, MKI with its length; further keys after a semicolon (RFC 4568 §6.1). */
const keySyntax =
  /^inline:([A-Za-z0-9+/]{40})(?:\|(?:2\^([1-9]\d?)|[1-9]\d{0,14}))?(?:\|(\d{1,20}):([1-9]\d{0,2}))?(?:;.*)?$/i;

/** Neither weakens the stream nor changes how its keys are derived (RFC 4568 §6.3; a leading `-` marks what may be ignored). */
const harmlessParameter = /^(?:KDR=0|WSH=\d{1,10}|-\S*)$/i;

const longestMki = 128;
const longestLifetimeExponent = 48;

/**
 * The `a=crypto` line rebuilt from its parsed fields: tag, our suite, the first key and its MKI. The lifetime is left
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
    suite === srtpSuite &&
    /^\d{1,9}$/.test(tag) &&
    whole !== undefined &&
    Number(exponent) <= longestLifetimeExponent &&
    Number(mkiLength) <= longestMki &&
    sessionParameters.split(/ +/).every((each) => each === '' || harmlessParameter.test(each));
  if (!isUsable) return undefined;
  return `a=crypto:${tag} ${suite} inline:${key}${mki === undefined ? '' : `|${mki}:${mkiLength}`}`;
}

/** The first key of a media description that we can use, as a line. */
export const keyLineOf = (media: MediaDescription): string | undefined =>
  cryptoLinesOf(media)
    .map(acceptableKey)
    .find((line) => line !== undefined);
