import { z } from 'zod';
import { agentMetadataSchema } from '../../contract/agent-metadata.js';
import type { BotOrder } from './format.js';

/** The messages of both formats that control the call. */

const text = (maximum: number) => z.string().min(1).max(maximum);
const reason = z.string().max(120).optional();

const shapes = {
  hangup: z.object({ reason }).transform(({ reason }): BotOrder => ({ kind: 'hangup', reason })),
  transfer: z
    .object({
      to: text(256).optional(),
      call: z
        .string()
        .regex(/^CA[0-9a-f]{32}$/)
        .optional(),
    })
    .refine(({ to, call }) => (to === undefined) !== (call === undefined), 'needs either to or call')
    .transform(({ to, call }): BotOrder => ({ kind: 'transfer', target: to, call })),
  hold: z
    .object({ on: z.boolean().default(true) })
    .transform(({ on }): BotOrder => ({ kind: 'hold', isOn: on })),
  send_dtmf: z
    .object({
      digits: z.string().regex(/^[0-9*#A-Dw,]{1,64}$/),
      duration_ms: z.int().min(40).max(2_000).optional(),
    })
    .transform(({ digits, duration_ms: milliseconds }): BotOrder => ({ kind: 'dtmf', digits, milliseconds })),
  play: z
    .object({ url: text(2_000), id: text(64).optional() })
    .transform(({ url, id }): BotOrder => ({ kind: 'play', url, id })),
  metadata: z
    .object({ values: agentMetadataSchema })
    .transform(({ values }): BotOrder => ({ kind: 'metadata', values })),
  log: z.object({ text: text(500) }).transform((read): BotOrder => ({ kind: 'log', text: read.text })),
  accept: z.object({}).transform((): BotOrder => ({ kind: 'accept' })),
  reject: z
    .object({ status: z.int().min(400).max(699).default(603), reason })
    .transform(({ status, reason }): BotOrder => ({ kind: 'reject', status, reason })),
} as const;

export const orderEvents = Object.keys(shapes) as (keyof typeof shapes)[];

/** An order, what is wrong with it, or undefined for an event that is no order. */
export function readOrder(
  event: string,
  message: object,
): { readonly order: BotOrder } | { readonly problem: string } | undefined {
  if (!Object.hasOwn(shapes, event)) return undefined;
  const read = shapes[event as keyof typeof shapes].safeParse(message);
  if (read.success) return { order: read.data };
  const { path, message: problem } = read.error.issues[0]!;
  return { problem: `${event}: ${path.join('.')} ${problem}`.trim() };
}
