import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EndReason } from '../contract/call-record.js';

/** The edge's numbers for Prometheus; one instance a process, given to whoever counts. */
export class EdgeMetrics {
  readonly registry = new Registry();

  private readonly calls = new Counter({
    name: 'demarc_calls_total',
    help: 'Calls that ended or were refused, by direction and outcome.',
    labelNames: ['direction', 'outcome'] as const,
    registers: [this.registry],
  });
  private readonly ends = new Counter({
    name: 'demarc_call_ends_total',
    help: 'Calls by the reason of their end.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'demarc_refusals_total',
    help: 'Calls refused at admission, by reason and SIP status.',
    labelNames: ['reason', 'status'] as const,
    registers: [this.registry],
  });
  private readonly ngSeconds = new Histogram({
    name: 'demarc_rtpengine_seconds',
    help: 'Time from an rtpengine command to its reply.',
    labelNames: ['command', 'result'] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [this.registry],
  });
  private readonly setupSeconds = new Histogram({
    name: 'demarc_setup_seconds',
    help: 'Time from the INVITE to its final answer, of answered calls.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Counts a call at its end. */
  callEnded(direction: 'inbound' | 'outbound', outcome: string, reason: EndReason): void {
    this.calls.inc({ direction, outcome });
    this.ends.inc({ reason });
  }

  callRefused(reason: EndReason, status: number): void {
    this.refusals.inc({ reason, status: String(status) });
  }

  rtpengineAnswered(command: string, result: 'ok' | 'error' | 'timeout', seconds: number): void {
    this.ngSeconds.observe({ command, result }, seconds);
  }

  callAnswered(setupSeconds: number): void {
    this.setupSeconds.observe(setupSeconds);
  }

  /** A number that is read when Prometheus asks. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }
}
