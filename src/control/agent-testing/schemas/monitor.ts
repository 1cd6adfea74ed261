import { z } from 'zod';
import { nameOf } from '../../http/one-line.js';
import { readPhoneNumber } from '../../http/phone-number.js';
import { usageSumSchema } from './money.js';

export const monitorStates = ['passing', 'failing'] as const;
export type MonitorState = (typeof monitorStates)[number];

/** What the latest calls are, and what they are compared with. */
export const recentCalls = 50;
export const earlierCalls = 200;

const fields = {
  name: nameOf(100).meta({ description: 'Name in the dashboard and in alerts, 1–100 characters.' }),
  scenario_id: z.uuid().meta({
    description: 'Scenario whose assertions judge the calls; how its caller behaves does not matter.',
  }),
  number: z
    .string()
    .max(32)
    .refine((text) => readPhoneNumber(text) !== undefined, 'Must be an E.164 number, such as +14155550100')
    .nullable()
    .meta({ description: 'Number of yours whose calls are judged, E.164; null: those of persona_id.' }),
  persona_id: z
    .uuid()
    .nullable()
    .meta({ description: 'Persona whose numbers’ calls are judged; null: those of number.' }),
  share: z
    .number()
    .gt(0)
    .max(1)
    .meta({ description: 'Share of the answered calls that is judged, above 0, at most 1. Default 0.1.' }),
  required_pass_rate: z.number().gt(0).max(1).meta({
    description:
      'It fails when the upper end of the 95 % interval of the latest calls is below this rate, above 0, at most 1. Default 0.8.',
  }),
  notify_contacts: z.boolean().meta({
    description:
      'Whether the alert contacts of the organization get a mail and an SMS when it begins to fail and when it passes again. Default true.',
  }),
  enabled: z.boolean().meta({ description: 'False: it is paused. Default true.' }),
};

const defaultShare = 0.1;
const defaultPassRate = 0.8;

/** Body of POST /v1/agent-testing/monitors. */
export const monitorCreation = z
  .strictObject({
    ...fields,
    number: fields.number.default(null),
    persona_id: fields.persona_id.default(null),
    share: fields.share.default(defaultShare),
    required_pass_rate: fields.required_pass_rate.default(defaultPassRate),
    notify_contacts: fields.notify_contacts.default(true),
    enabled: fields.enabled.default(true),
  })
  .refine(({ number, persona_id: persona }) => (number === null) !== (persona === null), {
    error: 'Name either number or persona_id',
    path: ['number'],
  });
export type MonitorValues = z.output<typeof monitorCreation>;

const { name, share, required_pass_rate, notify_contacts, enabled } = fields;
/** Body of PATCH /v1/agent-testing/monitors/{id}: what is judged by what stays, so that results stay comparable. */
export const monitorChange = z
  .strictObject({ name, share, required_pass_rate, notify_contacts, enabled })
  .partial();
export type MonitorChange = z.output<typeof monitorChange>;

const tally = (which: string) =>
  z
    .object({
      passed: z.int().meta({ description: 'Calls that passed.' }),
      failed: z.int().meta({ description: 'Calls that failed.' }),
      pass_rate: z.number().nullable().meta({ description: 'Share that passed, 0–1; null: no calls.' }),
    })
    .meta({ description: which });

export const monitorSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the monitor, a UUID.' }),
    ...fields,
    scenario_id: z.string().meta({ description: 'Scenario whose assertions judge the calls.' }),
    persona_id: z
      .string()
      .nullable()
      .meta({ description: 'Persona whose calls are judged; null: of a number.' }),
    number: z.string().nullable().meta({ description: 'Number whose calls are judged; null: of a persona.' }),
    recent: tally(
      `The latest ${recentCalls} calls that were judged. Those that could not be judged do not count.`,
    ),
    earlier: tally(`The ${earlierCalls} calls before them.`),
    drift: z.enum(['better', 'worse', 'not_shown']).meta({
      description:
        'Whether the latest calls pass more or less often than those before, by Fisher’s exact test at 0.1 %.',
    }),
    unheard_calls: z.int().meta({
      description: 'Sampled calls that could not be judged, because their agent stored no messages of them.',
    }),
    usage_this_month: usageSumSchema.meta({
      description: 'Tokens and cost of judging calls since the first of the month, UTC.',
    }),
    state: z.enum(monitorStates).nullable().meta({
      description: '`failing`: below the required rate, or worse than before. Null: no call has been judged.',
    }),
    state_since: z.iso.datetime().nullable().meta({ description: 'Since when; null: no state.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it is failing, or why calls are not judged; null: neither.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'TestMonitor' });
