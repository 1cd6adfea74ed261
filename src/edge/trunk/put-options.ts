import { parseHostPort } from '../../config/environment.js';
import {
  codecNames,
  type NumberDocument,
  numberDigits,
  numberDocumentSchema,
} from '../../contract/number.js';
import type { SecretBox } from '../../contract/secret.js';
import { DemarcError } from '../../errors.js';
import { describeIssues } from './number-document.js';

/** What `demarc trunk put` was told; as commander names its options. */
export interface PutOptions {
  readonly organization: string;
  readonly source?: readonly string[];
  readonly username?: string;
  readonly agentUri?: string;
  readonly outbound?: readonly string[];
  readonly codecs?: string;
  readonly transcode?: boolean;
  readonly concurrent?: string;
  readonly rate?: string;
  readonly maxDuration?: string;
}

/** The digits of a number as a person writes it. Throws `DemarcError` `invalid_document`. */
export function readNumber(text: string): string {
  const digits = numberDigits(text.replace(/[\s/]/g, ''));
  if (digits === undefined) {
    throw new DemarcError(
      'invalid_document',
      `${text} is not a phone number (3 to 15 digits, with or without plus)`,
    );
  }
  return digits;
}

/** Checks against the schema. Throws `DemarcError` `invalid_document`, which names every field that is wrong. */
export function checkDocument(value: unknown): NumberDocument {
  const read = numberDocumentSchema.safeParse(value);
  if (read.success) return read.data;
  const isTooWide = read.error.issues.some(({ message }) => message.includes('nearly every address'));
  throw new DemarcError(
    isTooWide ? 'source_too_wide' : 'invalid_document',
    describeIssues(read.error.issues),
  );
}

/** Makes a document of command-line options: one inbound configuration, and one outbound a server. */
export function documentFromOptions(
  number: string,
  options: PutOptions,
  password: string | undefined,
  secrets: SecretBox,
): NumberDocument {
  const credentials =
    options.username === undefined
      ? []
      : [{ username: options.username, password: seal(password ?? '', secrets) }];
  return checkDocument({
    version: 1,
    number: readNumber(number),
    organization: options.organization,
    updated_at: new Date().toISOString(),
    inbound: [
      {
        id: 'in-1',
        allowed_sources: options.source ?? [],
        credentials,
        ...(options.agentUri === undefined ? {} : { agent_uri: options.agentUri }),
      },
    ],
    outbound: (options.outbound ?? []).map((text, index) => readOutbound(text, `out-${index + 1}`)),
    codecs: {
      ...(options.codecs === undefined ? {} : { order: options.codecs.split(',').map(readCodec) }),
      ...(options.transcode === undefined ? {} : { transcode: options.transcode }),
    },
    limits: {
      ...numberField('concurrent_calls', options.concurrent),
      ...numberField('calls_per_second', options.rate),
      ...numberField('max_duration_seconds', options.maxDuration),
    },
  });
}

/**
 * Makes a document of a file's JSON. Passwords that are not sealed yet are sealed; a missing version or date is filled in.
 */
export function documentFromFile(
  value: unknown,
  number: string | undefined,
  secrets: SecretBox,
): NumberDocument {
  if (!isObject(value)) throw new DemarcError('invalid_document', 'the file must hold one JSON object');
  const sealed = sealPasswords(value, secrets) as Record<string, unknown>;
  const document = checkDocument({
    version: 1,
    updated_at: new Date().toISOString(),
    ...(number === undefined ? {} : { number: readNumber(number) }),
    ...sealed,
  });
  if (number !== undefined && document.number !== readNumber(number)) {
    throw new DemarcError('invalid_document', `the file is for ${document.number}, not for ${number}`);
  }
  return document;
}

/** A copy for people's eyes: no password, not even a sealed one. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'password' ? '[sealed]' : withoutSecrets(part),
    ]),
  );
}

function readOutbound(text: string, id: string): unknown {
  const [where = '', ...parameters] = text.split(';');
  const hostPort = parseHostPort(where);
  const outbound: Record<string, unknown> = { id, host: hostPort?.host ?? where.replace(/^\[|\]$/g, '') };
  if (hostPort !== undefined) outbound.port = hostPort.port;
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=');
    if (name !== 'transport') {
      throw new DemarcError('invalid_document', `outbound ${text}: only ;transport= is known`);
    }
    outbound.transport = value;
  }
  return outbound;
}

/** Names are case-sensitive in the document; people write `opus` and `OPUS`. */
const readCodec = (text: string): string =>
  codecNames.find((name) => name.toLowerCase() === text.trim().toLowerCase()) ?? text.trim();

function numberField(name: string, text: string | undefined): Record<string, number> {
  if (text === undefined) return {};
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new DemarcError('invalid_document', `${name}: ${text} is not a number`);
  }
  return { [name]: value };
}

function seal(password: string, secrets: SecretBox): string {
  if (password === '') throw new DemarcError('invalid_document', 'the password is empty');
  if (!secrets.hasKey) throw new DemarcError('secret_key_missing');
  return secrets.seal(password);
}

function sealPasswords(value: unknown, secrets: SecretBox): unknown {
  if (Array.isArray(value)) return value.map((part) => sealPasswords(part, secrets));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === 'password' && typeof part === 'string' && !part.startsWith('v1:')
        ? [name, seal(part, secrets)]
        : [name, sealPasswords(part, secrets)],
    ),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
