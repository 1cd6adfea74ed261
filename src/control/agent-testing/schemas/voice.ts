import { z } from 'zod';

/** Interrupts the agent, to see how soon it stops. */
const bargeInSchema = z
  .strictObject({
    turn: z.int().min(0).max(50).default(0).meta({
      description: 'Reply that is interrupted: to this turn of the caller; 0: the greeting. Default 0.',
    }),
    after_ms: z
      .int()
      .min(0)
      .max(30_000)
      .default(1_000)
      .meta({ description: 'Milliseconds from the first audio of the reply. Default 1000.' }),
    text: z.string().trim().min(1).max(500).meta({ description: 'What the caller says.' }),
  })
  .meta({ id: 'TestBargeIn' });

/** How the caller sounds and what its line does, the same for the same seed. */
const conditionsSchema = z
  .strictObject({
    gain_db: z
      .number()
      .min(-30)
      .max(20)
      .default(0)
      .meta({ description: 'Gain of the caller’s voice in decibels. Default 0, range -30–20.' }),
    noise: z
      .strictObject({
        kind: z
          .enum(['babble', 'street', 'office'])
          .meta({ description: 'babble: people who talk; street: traffic; office: ventilation and keys.' }),
        level_dbov: z
          .number()
          .min(-60)
          .max(-15)
          .default(-40)
          .meta({ description: 'Mean level in dBov; speech has about -25. Default -40, range -60–-15.' }),
      })
      .optional()
      .meta({ description: 'Noise around the caller. Default: none.' }),
    loss_share: z
      .number()
      .min(0)
      .max(0.5)
      .default(0)
      .meta({ description: "Share of the caller's packets that are lost, 0–0.5. Default 0." }),
    jitter_ms: z.int().min(0).max(200).default(0).meta({
      description: 'Longest delay of single packets of the caller in milliseconds. Default 0, range 0–200.',
    }),
    seed: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(1)
      .meta({ description: 'The same seed gives the same noise, losses and delays. Default 1.' }),
  })
  .meta({ id: 'TestLineConditions' });
export type LineConditionsInput = z.output<typeof conditionsSchema>;

const heardPhrase = z
  .string()
  .trim()
  .max(500)
  .regex(/[\p{L}\p{N}]/u, 'Must have a letter or a digit');

/** What the caller does in a turn, in place of speaking. */
export const callerStepSchema = z
  .strictObject({
    turn: z.int().min(1).max(50).optional().meta({
      description: 'Turn of the caller, from 1, that the step takes the place of. Or when_heard.',
    }),
    when_heard: heardPhrase.optional().meta({
      description:
        'The step takes the place of the turn after these words of the agent, once; case and punctuation do not matter. Or turn.',
      examples: ['press one for sales'],
    }),
    digits: z
      .string()
      .regex(/^[0-9A-D*#w]{1,64}$/, 'Must be made of 0–9, A–D, *, # and w')
      .optional()
      .meta({
        description: 'Keys that are pressed (RFC 4733); w waits a second. Or silence_ms, hold_ms.',
        examples: ['1'],
      }),
    silence_ms: z.int().min(100).max(60_000).optional().meta({
      description: 'Milliseconds that the caller says nothing. Or digits, hold_ms.',
    }),
    hold_ms: z.int().min(500).max(120_000).optional().meta({
      description: 'Milliseconds that the caller holds the call. Or digits, silence_ms.',
    }),
  })
  .refine(({ turn, when_heard: heard }) => (turn === undefined) !== (heard === undefined), {
    error: 'turn or when_heard is required, and not both',
  })
  .refine(
    ({ digits, silence_ms: silence, hold_ms: hold }) =>
      [digits, silence, hold].filter((action) => action !== undefined).length === 1,
    { error: 'digits, silence_ms or hold_ms is required, and only one of them' },
  )
  .meta({ id: 'TestCallerStep' });
export type CallerStep = z.output<typeof callerStepSchema>;

/** How a scenario is run as a call. */
export const voiceSettingsSchema = z
  .strictObject({
    destination: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({
        description:
          'E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona or pathway.',
        examples: ['+14155550100'],
      }),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en-US')
      .default('en-US')
      .meta({ description: 'Language of the simulated caller, BCP 47. Default en-US.' }),
    speaker: z
      .string()
      .regex(/^[A-Za-z0-9+][A-Za-z0-9 ._+-]{0,99}$/, 'Must be the name of a voice')
      .optional()
      .meta({
        description:
          'Voice of the simulated caller. Without a speech service also a variant of the language with espeak-ng, such as +f3, or a voice of flite, such as flite-slt (English). Default: that of the speech service for the language.',
      }),
    speed: z.number().min(0.5).max(2).optional().meta({
      description:
        'How fast the caller speaks: 1 is the usual speed of the voice, 160 words a minute with espeak-ng. Default 1, range 0.5–2.',
    }),
    caller_number: z
      .string()
      .regex(/^\+[1-9]\d{2,14}$/, 'Must be an E.164 number such as +14155550123')
      .optional()
      .meta({ description: 'Number that the agent sees as caller, E.164. Default: an anonymous caller.' }),
    end_of_turn_ms: z.int().min(200).max(5_000).default(700).meta({
      description: "Silence in milliseconds that ends the agent's turn. Default 700, range 200–5000.",
    }),
    reply_timeout_ms: z.int().min(500).max(60_000).default(10_000).meta({
      description:
        'Milliseconds that the caller waits for the greeting, and for each reply, before it speaks. Default 10000.',
    }),
    max_duration_seconds: z
      .int()
      .min(5)
      .max(1_800)
      .default(300)
      .meta({ description: 'Longest duration of the call. Default 300, range 5–1800.' }),
    conditions: conditionsSchema
      .optional()
      .meta({ description: 'How the caller sounds, and its line. Default: as the speech service speaks.' }),
    steps: z.array(callerStepSchema).max(50).optional().meta({
      description:
        'What the caller does in single turns in place of speaking: keys, silence, hold. Also in runs by text, where the agent reads it. At most 50. Default: none.',
    }),
    barge_in: bargeInSchema.optional().meta({ description: 'Interrupts the agent once. Default: never.' }),
  })
  .meta({ id: 'TestVoiceSettings' });
export type VoiceSettings = z.output<typeof voiceSettingsSchema>;

const milliseconds = (description: string) => z.number().nullable().meta({ description });
const share = (description: string) => z.number().meta({ description: `${description}, 0–1.` });

const voiceTurnSchema = z
  .object({
    speaker: z.enum(['caller', 'agent']).meta({ description: 'Who spoke.' }),
    from_ms: z.number().meta({ description: 'Milliseconds from the answer to its beginning.' }),
    to_ms: z.number().meta({ description: 'Milliseconds from the answer to its end.' }),
    text: z.string().nullable().meta({ description: 'What was said; null: not understood.' }),
    is_barge_in: z.boolean().meta({ description: 'The caller interrupted the agent on purpose.' }),
  })
  .meta({ id: 'TestVoiceTurn' });
export type VoiceTurn = z.output<typeof voiceTurnSchema>;

export const voiceMeasurementsSchema = z
  .object({
    call_id: z
      .string()
      .nullable()
      .meta({ description: 'Id of the call; null: its record is not stored yet.' }),
    sip_call_id: z.string().meta({ description: "Call-ID header of the caller's leg." }),
    speech: z
      .enum(['espeak-ng', 'flite', 'service', 'tones'])
      .meta({ description: 'What spoke for the caller.' }),
    transcription: z
      .enum(['service', 'tones'])
      .meta({ description: 'What transcribed the agent; tones: the tone code alone, not speech.' }),
    codec: z.string().nullable().meta({ description: "Codec of the caller's leg." }),
    duration_ms: z.number().meta({ description: 'Milliseconds from the answer to the end.' }),
    first_audio_ms: milliseconds('Milliseconds from the answer to the first audio of the agent; null: none.'),
    mean_latency_ms: milliseconds('Mean of the latencies of all turns in milliseconds; null: none.'),
    p50_latency_ms: milliseconds('Median of the latencies in milliseconds; null: none.'),
    p95_latency_ms: milliseconds('95th percentile of the latencies in milliseconds; null: none.'),
    maximum_latency_ms: milliseconds('Highest latency in milliseconds; null: none.'),
    unanswered_turns: z
      .int()
      .meta({ description: 'Turns of the caller after which the agent said nothing.' }),
    interruptions: z.int().meta({ description: 'How often the agent began while the caller spoke.' }),
    barge_in_stop_ms: milliseconds(
      'Longest time until the agent was silent after the caller interrupted it; null: not interrupted, or it did not stop.',
    ),
    longest_silence_ms: milliseconds(
      'Longest time that the call waited for the agent to speak; the time that the caller needs to reply does not count.',
    ),
    silence_share: share('Share of the call that waited for the agent'),
    talk_over_ms: milliseconds('Milliseconds in which both spoke; null: not measured.'),
    talk_over_share: share('Share of the call in which both spoke'),
    agent_talk_share: z
      .number()
      .nullable()
      .meta({ description: "The agent's share of all speech, 0–1; null: neither side spoke." }),
    agent_words_per_minute: z.number().nullable().meta({
      description: 'Words of the agent for each minute of its speech; null: its speech was not transcribed.',
    }),
    agent_loudness_dbov: z.number().nullable().meta({
      description:
        "Mean level of the agent's speech in dBov, 0 being the loudest possible; null: it said nothing.",
    }),
    caller_loudness_dbov: z.number().nullable().meta({
      description: 'The same of the caller, as the agent got it from Demarc; null: it said nothing.',
    }),
    packets_lost: z.int().meta({ description: "Lost packets of the agent's audio." }),
    jitter_ms: z
      .number()
      .meta({ description: "Highest interarrival jitter of the agent's audio in milliseconds." }),
    turns: z.array(voiceTurnSchema).meta({ description: 'Who spoke when, in the order of time.' }),
  })
  .meta({ id: 'TestVoiceMeasurements' });
export type VoiceMeasurements = z.output<typeof voiceMeasurementsSchema>;
