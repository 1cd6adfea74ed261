import { z } from 'zod';
import { networkList, whole } from './environment.js';

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be http://… or https://…' })
  .transform((text) => text.replace(/\/+$/, ''));

/** Variables of number porting and of the documents that it keeps; each default with its reason. */
export const portingVariables = {
  /** Works without any account: an operator carries requests to a carrier by hand. */
  DEMARC_PORT_CARRIER: z.enum(['manual', 'twilio']).default('manual'),
  DEMARC_TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be AC and 32 hex digits')
    .optional(),
  DEMARC_TWILIO_AUTH_TOKEN: z.string().min(8).optional(),
  DEMARC_TWILIO_NUMBERS_URL: httpUrl.default('https://numbers.twilio.com'),
  DEMARC_TWILIO_UPLOAD_URL: httpUrl.default('https://numbers-upload.twilio.com'),
  /** Addresses that the carrier sends calls to ported numbers from; none: those of DEMARC_SOURCE_POLICY. */
  DEMARC_PORT_SOURCES: networkList,
  /** Countries whose numbers are taken (ISO 3166-1 alpha-2). */
  DEMARC_PORT_COUNTRIES: z
    .string()
    .default('US,CA')
    .transform((text) => text.split(',').map((item) => item.trim().toUpperCase()))
    .pipe(z.array(z.string().regex(/^[A-Z]{2}$/, 'must be country codes such as US,CA')).min(1)),
  /** Days of ports are counted there: the numbering administration of North America works by it. */
  DEMARC_PORT_TIME_ZONE: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as America/New_York')
    .default('America/New_York'),
  /** Two weeks for a person to sign; a new link can be sent. */
  DEMARC_PORT_SIGNING_HOURS: whole(1, 8_760).default(336),
  /** Webhooks report a change at once; this finds lost ones. */
  DEMARC_PORT_POLL_SECONDS: whole(1, 86_400).default(3_600),
  /** A carrier that takes longer to answer is down. */
  DEMARC_PORT_CARRIER_TIMEOUT_MS: whole(100, 60_000).default(15_000),
  /** After the first failure; doubled each time, an hour at most. */
  DEMARC_PORT_RETRY_MS: whole(10, 600_000).default(30_000),

  /** Where documents and letters are kept, sealed. */
  DEMARC_DOCUMENT_DIRECTORY: z.string().min(1).default('.demarc/documents'),
  /** `https://host/bucket` of a store that speaks S3; absent: the directory. */
  DEMARC_DOCUMENT_S3_URL: httpUrl.optional(),
  DEMARC_DOCUMENT_S3_REGION: z.string().min(1).default('us-east-1'),
  DEMARC_DOCUMENT_S3_KEY_ID: z.string().min(1).optional(),
  DEMARC_DOCUMENT_S3_SECRET: z.string().min(1).optional(),
  /** After the end of the request; carriers ask for proof of authorization within that time. 0 keeps them for ever. */
  DEMARC_DOCUMENT_RETENTION_DAYS: whole(0, 36_500).default(365),
} as const;

type Read = z.output<z.ZodObject<typeof portingVariables>>;

export interface TwilioSettings {
  readonly accountSid: string;
  readonly authToken: string;
  /** Without a slash at the end. */
  readonly numbersUrl: string;
  readonly uploadUrl: string;
}

export interface S3Settings {
  /** With the bucket, without a slash at the end. */
  readonly url: string;
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface PortingSettings {
  /** Undefined: an operator carries requests by hand. */
  readonly twilio: TwilioSettings | undefined;
  readonly sources: readonly string[];
  readonly countries: readonly string[];
  readonly timeZone: string;
  readonly signingMilliseconds: number;
  readonly pollMilliseconds: number;
  readonly carrierTimeoutMilliseconds: number;
  readonly retryMilliseconds: number;
  readonly documents: {
    readonly directory: string;
    /** Undefined: in the directory. */
    readonly s3: S3Settings | undefined;
    /** 0: for ever. */
    readonly retentionDays: number;
  };
}

/** What is given without what it needs; empty: nothing. */
export function portingProblems(read: Read): string[] {
  const problems: string[] = [];
  const twilio = [read.DEMARC_TWILIO_ACCOUNT_SID, read.DEMARC_TWILIO_AUTH_TOKEN];
  if (read.DEMARC_PORT_CARRIER === 'twilio' && twilio.includes(undefined)) {
    problems.push('DEMARC_PORT_CARRIER: twilio needs DEMARC_TWILIO_ACCOUNT_SID and DEMARC_TWILIO_AUTH_TOKEN');
  }
  const s3 = [read.DEMARC_DOCUMENT_S3_KEY_ID, read.DEMARC_DOCUMENT_S3_SECRET];
  if (read.DEMARC_DOCUMENT_S3_URL !== undefined && s3.includes(undefined)) {
    problems.push(
      'DEMARC_DOCUMENT_S3_URL: needs DEMARC_DOCUMENT_S3_KEY_ID and DEMARC_DOCUMENT_S3_SECRET as well',
    );
  }
  return problems;
}

/** After `portingProblems` has found none. */
export function portingSettings(read: Read): PortingSettings {
  const { DEMARC_TWILIO_ACCOUNT_SID: accountSid, DEMARC_TWILIO_AUTH_TOKEN: authToken } = read;
  const { DEMARC_DOCUMENT_S3_URL: s3Url, DEMARC_DOCUMENT_S3_KEY_ID: keyId } = read;
  const { DEMARC_DOCUMENT_S3_SECRET: secret } = read;
  return {
    twilio:
      read.DEMARC_PORT_CARRIER === 'manual' || accountSid === undefined || authToken === undefined
        ? undefined
        : {
            accountSid,
            authToken,
            numbersUrl: read.DEMARC_TWILIO_NUMBERS_URL,
            uploadUrl: read.DEMARC_TWILIO_UPLOAD_URL,
          },
    sources: read.DEMARC_PORT_SOURCES,
    countries: read.DEMARC_PORT_COUNTRIES,
    timeZone: read.DEMARC_PORT_TIME_ZONE,
    signingMilliseconds: read.DEMARC_PORT_SIGNING_HOURS * 3_600_000,
    pollMilliseconds: read.DEMARC_PORT_POLL_SECONDS * 1_000,
    carrierTimeoutMilliseconds: read.DEMARC_PORT_CARRIER_TIMEOUT_MS,
    retryMilliseconds: read.DEMARC_PORT_RETRY_MS,
    documents: {
      directory: read.DEMARC_DOCUMENT_DIRECTORY,
      s3:
        s3Url === undefined || keyId === undefined || secret === undefined
          ? undefined
          : { url: s3Url, region: read.DEMARC_DOCUMENT_S3_REGION, keyId, secret },
      retentionDays: read.DEMARC_DOCUMENT_RETENTION_DAYS,
    },
  };
}
