import { isSampled, spanIdOf, traceIdOf } from '../../../contract/trace-context.js';
import type { Telemetry } from '../../telemetry/telemetry.js';
import type { Delivery, Outcome } from '../sender.js';

/** One attempt to send a webhook about a call. */
export interface WebhookSpan {
  /** For the request: what the receiver does is below this attempt. */
  readonly traceparent: string;
  end(outcome: Outcome): void;
}

/** Undefined: the delivery is not about a call. */
export function beginWebhook(telemetry: Telemetry, delivery: Delivery): WebhookSpan | undefined {
  const { id, event, attempts, subject: callId } = delivery;
  if (!event.startsWith('call.') || callId === null) return undefined;
  const sampled = isSampled(callId, telemetry.sample);
  const traceId = traceIdOf(callId);
  const spanId = spanIdOf(callId, `webhook ${id} ${attempts}`);
  const start = Date.now();
  return {
    traceparent: `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`,
    end: (outcome) => {
      if (!sampled || outcome.kind === 'interrupted') return;
      telemetry.add([
        {
          service: 'demarc-control',
          traceId,
          spanId,
          parentSpanId: spanIdOf(callId, 'call'),
          name: `webhook ${event}`,
          kind: 'client',
          start,
          end: Date.now(),
          attributes: {
            'demarc.delivery_id': id,
            'demarc.attempt': attempts + 1,
            ...(outcome.status === null ? {} : { 'http.response.status_code': outcome.status }),
          },
          ...(outcome.kind === 'failed' ? { error: outcome.error } : {}),
        },
      ]);
    },
  };
}
