/** What is measured from the RTP of a run by voice; assertions of type VOICE_METRIC name one of them. */
export const voiceMetrics = [
  'first_audio_ms',
  'mean_latency_ms',
  'p50_latency_ms',
  'p95_latency_ms',
  'maximum_latency_ms',
  'unanswered_turns',
  'interruptions',
  'barge_in_stop_ms',
  'longest_silence_ms',
  'silence_share',
  'talk_over_ms',
  'talk_over_share',
  'agent_talk_share',
  'agent_words_per_minute',
  'agent_loudness_dbov',
  'packets_lost',
  'jitter_ms',
] as const;

export type VoiceMetric = (typeof voiceMetrics)[number];

/** Each one in words; its name says the unit. */
export const voiceMetricNames: Readonly<Record<VoiceMetric, string>> = {
  p95_latency_ms: 'Latency, 95th percentile',
  p50_latency_ms: 'Latency, median',
  mean_latency_ms: 'Latency, mean',
  maximum_latency_ms: 'Latency, highest',
  first_audio_ms: 'First audio after the answer',
  unanswered_turns: 'Turns without answer',
  interruptions: 'Interruptions of the caller',
  barge_in_stop_ms: 'Time to stop when interrupted',
  longest_silence_ms: 'Longest silence',
  silence_share: 'Share of silence',
  talk_over_ms: 'Both speak',
  talk_over_share: 'Share of talk-over',
  agent_talk_share: "The agent's share of speech",
  agent_words_per_minute: 'Words a minute of the agent',
  agent_loudness_dbov: 'Loudness of the agent',
  packets_lost: 'Lost packets',
  jitter_ms: 'Jitter',
};

const percentOf = (share: number): number => Math.round(share * 1_000) / 10;

/** `1,820 ms`, `12.5 %` or `3`. */
export function voiceMetricText(metric: VoiceMetric, value: number): string {
  if (metric.endsWith('_ms')) return `${value.toLocaleString('en-US')} ms`;
  if (metric.endsWith('_dbov')) return `${value.toLocaleString('en-US')} dBov`;
  return metric.endsWith('_share') ? `${percentOf(value)} %` : value.toLocaleString('en-US');
}
