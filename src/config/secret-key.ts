import { z } from 'zod';
import { isSecretKey } from '../contract/secret.js';

/** What secrets are sealed with. */
export const secretKey = z.string().refine(isSecretKey, 'must be 32 bytes in hex, base64 or base64url');
