import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';
import { standardOutput } from '../base/log-destination.js';
import { survivedFaults } from '../base/process-faults.js';

export type MetricKind = 'counter' | 'gauge' | 'histogram';

/** One metric in the reference. */
export interface MetricDefinition<Label extends string = string> {
  /** Prometheus' conventions: a base unit in the name, `_total` for counters. */
  readonly name: string;
  readonly help: string;
  /** Label → its values, all of them or what they are made of: every one is from a bounded set. */
  readonly labels?: Readonly<Record<Label, string>>;
}

export interface DescribedMetric extends MetricDefinition {
  readonly kind: MetricKind;
}

/** One value that is read when Prometheus asks. */
export interface Sample<Label extends string = string> {
  readonly labels?: Readonly<Partial<Record<Label, string>>>;
  readonly value: number;
}

/** A sample for each value of one label. */
export const samplesBy = <Label extends string>(
  label: Label,
  values: Readonly<Record<string, number>>,
): readonly Sample<Label>[] =>
  Object.entries(values).map(([name, value]) => ({
    labels: { [label]: name } as Record<Label, string>,
    value,
  }));

type Read<Label extends string> = () => number | readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

/** The numbers of one role for Prometheus, with what the reference says of each. */
export abstract class RoleMetrics {
  readonly registry = new Registry();
  readonly described: DescribedMetric[] = [];
  /** Metrics that every role has, distinguished by the label `role`. */
  readonly common: readonly DescribedMetric[];

  constructor(readonly role: 'edge' | 'engine' | 'control' | 'media-stream') {
    // For processes whose metrics are read in one place; other names contain their role.
    // Every 10 ms, as by default, it is the largest single cost of an idle process.
    collectDefaultMetrics({ register: this.registry, labels: { role }, eventLoopMonitoringPrecision: 50 });
    this.counted(
      {
        name: 'demarc_log_lines_dropped_total',
        help: 'Log lines that could not be written: the disk is full, or the reader of the log too slow.',
        labels: { role: 'of the process' },
      },
      () => [{ labels: { role }, value: standardOutput.dropped }],
    );
    this.counted(
      {
        name: 'demarc_unhandled_rejections_total',
        help: 'Promises that were rejected without a handler. Each is a defect; its log line has the stack.',
        labels: { role: 'of the process' },
      },
      () => [{ labels: { role }, value: survivedFaults.unhandledRejections }],
    );
    this.common = this.described.splice(0);
  }

  protected counter<Label extends string>(definition: MetricDefinition<Label>): Counter<Label> {
    return new Counter(this.take('counter', definition) as CounterConfiguration<Label>);
  }

  protected histogram<Label extends string>(
    definition: MetricDefinition<Label>,
    buckets: readonly number[],
  ): Histogram<Label> {
    return new Histogram({ ...this.take('histogram', definition), buckets: [...buckets] });
  }

  /** A number that is read when Prometheus asks; labels that are gone are gone. */
  protected gauge<Label extends string>(definition: MetricDefinition<Label>, read: Read<Label>): void {
    new Gauge({
      ...(this.take('gauge', definition) as GaugeConfiguration<Label>),
      async collect() {
        const samples = await samplesOf(read);
        this.reset();
        for (const { labels, value } of samples) this.set((labels ?? {}) as never, value);
      },
    });
  }

  /** The same for what only grows, and is counted elsewhere. */
  protected counted<Label extends string>(definition: MetricDefinition<Label>, read: Read<Label>): void {
    new Counter({
      ...(this.take('counter', definition) as CounterConfiguration<Label>),
      async collect() {
        const samples = await samplesOf(read);
        this.reset();
        for (const { labels, value } of samples) this.inc((labels ?? {}) as never, value);
      },
    });
  }

  private take<Label extends string>(kind: MetricKind, definition: MetricDefinition<Label>) {
    this.described.push({ kind, ...definition });
    const labelNames = Object.keys(definition.labels ?? {}) as Label[];
    return { name: definition.name, help: definition.help, labelNames, registers: [this.registry] };
  }
}

/** Metrics that can't be read now are left out of the page. */
async function samplesOf<Label extends string>(read: Read<Label>): Promise<readonly Sample<Label>[]> {
  try {
    const value = await read();
    return typeof value === 'number' ? [{ value }] : value;
  } catch {
    return [];
  }
}

/** A label's value from a set that others do not choose. */
export const bounded = <Value extends string>(value: string, allowed: readonly Value[]): Value | 'other' =>
  (allowed as readonly string[]).includes(value) ? (value as Value) : 'other';
