import { z } from 'zod';

/** What is measured from the RTP of a run by voice; assertions of type VOICE_METRIC name one of them. */
export const voiceMetrics = [
  'first_audio_ms',
  'mean_latency_ms',
  'p95_latency_ms',
  'maximum_latency_ms',
  'interruptions',
  'longest_silence_ms',
  'talk_over_ms',
] as const;
export type VoiceMetric = (typeof voiceMetrics)[number];

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
          'E.164 number or SIP URI that is called. Default: the SIP URI of agent, or the first inbound number of the persona.',
        examples: ['+14155550100'],
      }),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'Must be a language tag such as en-US')
      .default('en-US')
      .meta({ description: 'Language of the simulated caller, BCP 47. Default en-US.' }),
    speaker: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Voice of the simulated caller. Default: that of the speech service.' }),
  })
  .meta({ id: 'TestVoiceSettings' });
export type VoiceSettings = z.output<typeof voiceSettingsSchema>;

const milliseconds = (description: string) => z.number().nullable().meta({ description });

export const voiceMeasurementsSchema = z
  .object({
    call_id: z.string().nullable().meta({ description: 'Id of the call; null: none was placed.' }),
    first_audio_ms: milliseconds('Milliseconds from the answer to the first audio of the agent; null: none.'),
    mean_latency_ms: milliseconds('Mean of the latencies of all turns in milliseconds; null: none.'),
    p95_latency_ms: milliseconds('95th percentile of the latencies in milliseconds; null: none.'),
    maximum_latency_ms: milliseconds('Highest latency in milliseconds; null: none.'),
    interruptions: z.int().meta({ description: 'How often the agent began while the caller spoke.' }),
    longest_silence_ms: milliseconds('Longest silence of both sides in milliseconds; null: none.'),
    talk_over_ms: milliseconds('Milliseconds in which both spoke; null: not measured.'),
  })
  .meta({ id: 'TestVoiceMeasurements' });
export type VoiceMeasurements = z.output<typeof voiceMeasurementsSchema>;
