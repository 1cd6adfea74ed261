import { z } from 'zod';

/** A number as a caller writes it; whether it is one is decided later. */
export const phoneNumberSchema = z
  .string()
  .min(1)
  .max(64)
  .meta({ examples: ['+14155550100'] });

/** A direction as requests and answers name it. */
export const directionName = z.enum(['inbound', 'outbound']);
