import { expect, it } from 'vitest';
import { voiceMetricText } from '../../../src/contract/voice-metrics.js';

it.each([
  ['p95_latency_ms', 1_820, '1,820 ms'],
  ['agent_loudness_dbov', -23.5, '-23.5 dBov'],
  ['silence_share', 0.125, '12.5 %'],
  ['silence_share', 0.12345, '12.3 %'],
  ['interruptions', 3, '3'],
  ['agent_words_per_minute', 1_200, '1,200'],
] as const)('shows %s of %d as "%s"', (metric, value, text) => {
  expect(voiceMetricText(metric, value)).toBe(text);
});
