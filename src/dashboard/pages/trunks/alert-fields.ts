import type { AlertConfig } from '../../api/trunks.js';

const thresholdNames = [
  'unreachable_minutes',
  'failure_rate_percent',
  'failure_rate_window_minutes',
  'response_time_ms',
] as const;

/** The configuration that a submitted form asks for: server thresholds are of outbound calls only. */
export function readForm(form: FormData, direction: string): AlertConfig {
  const thresholds = Object.fromEntries(
    thresholdNames
      .filter((name) => direction === 'outbound' || name.startsWith('failure_rate'))
      .map((name) => [name, form.get(name)] as const)
      .filter(([, value]) => typeof value === 'string' && value !== '')
      .map(([name, value]) => [name, Number(value)]),
  );
  const webhook = String(form.get('webhook') ?? '').trim();
  return {
    enabled: form.get('enabled') !== null,
    thresholds,
    channels: {
      email: form.get('email') !== null,
      sms: form.get('sms') !== null,
      ...(webhook === '' ? {} : { webhook }),
    },
  };
}
