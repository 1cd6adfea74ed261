import { z } from 'zod';

/** Of the JSON of a customer's own data: lists of what carries it are read whole. */
export const maximumMetadataOctets = 16_384;

/** A customer's own data, stored and returned unchanged. */
export const metadataSchema = z
  .record(z.string().max(200), z.unknown())
  .refine((data) => Buffer.byteLength(JSON.stringify(data)) <= maximumMetadataOctets, {
    error: `Must have at most ${maximumMetadataOctets} octets of JSON`,
  });
