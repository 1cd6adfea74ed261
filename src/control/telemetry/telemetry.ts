import type { Logger } from '../../base/log.js';
import { type Span, SpanExporter } from '../../base/span-exporter.js';
import type { TelemetrySettings } from '../../config/telemetry-settings.js';
import { version } from '../../config/version.js';

/** Makes spans of calls, where an operator wants them, and sends them. A service of control. */
export class Telemetry {
  readonly name = 'spans';
  private readonly exporter: SpanExporter;

  constructor(
    /** Of all calls, 0 to 1. */
    readonly sample: number,
    options: ConstructorParameters<typeof SpanExporter>[0],
  ) {
    this.exporter = new SpanExporter(options);
  }

  /** Never waits, never throws. */
  add(spans: readonly Span[]): void {
    this.exporter.add(spans);
  }

  async start(): Promise<void> {
    this.exporter.start();
  }

  stop(): Promise<void> {
    return this.exporter.stop();
  }

  /** Ready also while the receiver is down: calls do not need it. */
  state(): { readonly ready: boolean; readonly detail: string } {
    const { problem, dropped } = this.exporter;
    return { ready: true, detail: `${problem ?? 'sending'}, ${dropped} dropped since startup` };
  }
}

/** Undefined: off. */
export const telemetryOf = (
  { telemetry }: { readonly telemetry: TelemetrySettings | undefined },
  log: Logger,
  counted: (result: 'sent' | 'dropped', spans: number) => void,
): Telemetry | undefined =>
  telemetry === undefined
    ? undefined
    : new Telemetry(telemetry.sample, { ...telemetry, version, log, counted });
