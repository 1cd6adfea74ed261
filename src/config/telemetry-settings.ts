import { z } from 'zod';

/** Shared by control, which sends spans, and edges, which tell agents which calls are sampled. */
export const sampleVariable = {
  /** All calls: a span costs a fraction of a record. */
  DEMARC_OTLP_SAMPLE: z.coerce.number().min(0).max(1).default(1),
} as const;

/** `name=value,name=value`, as OTEL_EXPORTER_OTLP_HEADERS. */
const headerList = z
  .string()
  .regex(
    /^[!#-'*+.^_`|~\w-]+=[^,\r\n]*(,[!#-'*+.^_`|~\w-]+=[^,\r\n]*)*$/,
    'must be a list such as name=value,name=value',
  )
  .transform((text) =>
    Object.fromEntries(
      text
        .split(',')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1).trim()]),
    ),
  );

export const telemetryVariables = {
  /** Absent: no spans are made. */
  DEMARC_OTLP_URL: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as http://collector:4318' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  DEMARC_OTLP_HEADERS: headerList.default({}),
  ...sampleVariable,
} as const;

export interface TelemetrySettings {
  /** Of an OTLP/HTTP receiver, without `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of all calls, 0 to 1. */
  readonly sample: number;
}

export const telemetrySettings = (
  read: z.output<z.ZodObject<typeof telemetryVariables>>,
): TelemetrySettings | undefined =>
  read.DEMARC_OTLP_URL === undefined
    ? undefined
    : { url: read.DEMARC_OTLP_URL, headers: read.DEMARC_OTLP_HEADERS, sample: read.DEMARC_OTLP_SAMPLE };
