import { createHash, createHmac } from 'node:crypto';
import type { ControlSettings } from '../../../config/control-settings.js';
import { publicUrl } from '../../http/public-url.js';

/** Identifies a request in its link: 256 bits that only our key can make. */
const tokenOf = (secretKey: string, requestId: string, linkNumber: number): string =>
  createHmac('sha256', secretKey).update(`port letter ${requestId} ${linkNumber}`).digest('base64url');

/** Whether a text has the form of a token; another one is not looked up. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The token of a request's link. It can be made again at any time, so only its hash is stored. */
export const newToken = (
  { secretKeys }: Pick<ControlSettings, 'secretKeys'>,
  requestId: string,
  linkNumber: number,
): string => tokenOf(secretKeys[0]!, requestId, linkNumber);

/** The token with that hash, by the current key or an earlier one; undefined: none of them made it. */
export const tokenWith = (
  { secretKeys }: Pick<ControlSettings, 'secretKeys'>,
  requestId: string,
  linkNumber: number,
  hash: Buffer,
): string | undefined =>
  secretKeys.map((key) => tokenOf(key, requestId, linkNumber)).find((token) => hashOf(token).equals(hash));

export const signatureUrl = (settings: ControlSettings, token: string): string =>
  `${publicUrl(settings)}/sign/${token}`;
