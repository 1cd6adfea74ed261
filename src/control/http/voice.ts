import { z } from 'zod';
import { voiceSchema } from '../../contract/number.js';

/** A voice in a request. */
export const voiceField = z.string().refine((text) => voiceSchema.safeParse(text).success, {
  error: 'Must be 1 to 128 printable ASCII characters',
});
