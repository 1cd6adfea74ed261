import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The file that `npm run bench -- --json` writes and docs/performance.md is made from. */

const delay = z.object({ p50: z.number(), p99: z.number(), longest: z.number() });
/** Milliseconds. */
export type Delay = z.infer<typeof delay>;

const calls = z.object({
  callsPerSecond: z.number(),
  /** From the first INVITE to the last. */
  sentPerSecond: z.number(),
  succeeded: z.number(),
  /** Answered with 503. */
  refused: z.number(),
  failed: z.number(),
  retransmissions: z.number(),
  /** INVITE to 180. */
  ringing: delay,
  /** INVITE to 200, which includes 10 ms of ringing. */
  setup: delay,
});
/** Calls at one rate, as the callers saw them. */
export type Calls = z.infer<typeof calls>;

const megabytes = z.object({
  /** Resident; a page that several processes share counts in each. */
  rss: z.number(),
  /** Resident; a page that several processes share is divided among them. */
  pss: z.number(),
});
export type Memory = z.infer<typeof megabytes>;
/** By process. */
const memory = z.record(z.string(), megabytes);
/** Milliseconds of CPU by process. */
const cpu = z.record(z.string(), z.number());

const step = calls.extend({
  system: z.string(),
  /** Per call. */
  cpu,
  /** The sum of `cpu`. */
  total: z.number(),
  /** At the end of the step. */
  memory,
});
/** A measured step of one system. */
export type Step = z.infer<typeof step>;

const cleanRate = z.object({
  system: z.string(),
  /** The highest rate at which no call failed and 99 % were answered within 250 ms; 0: not even the first step's. */
  clean: z.number(),
  /** Why the next step was not clean; `limit`: the search ended there. */
  boundBy: z.enum(['failed calls', 'delay', 'generator', 'limit']),
  steps: z.array(calls),
});
export type CleanRate = z.infer<typeof cleanRate>;

const held = z.object({
  system: z.string(),
  calls: z.number(),
  /** Kilobytes (1,024 bytes) per held call, by process, at the lowest point while they were held. */
  kilobytes: z.record(z.string(), z.number()),
  heldSeconds: z.number(),
  /** CPU milliseconds of a call per minute of being held, by process, beyond an idle system's. */
  cpuPerMinute: cpu,
  /** New calls without and under the held ones. */
  without: step,
  under: step,
});
export type Held = z.infer<typeof held>;

const afterLoad = z.object({
  system: z.string(),
  secondsAfter: z.number(),
  idle: memory,
  atEnd: memory,
  after: memory,
});
export type AfterLoad = z.infer<typeof afterLoad>;

const connections = z.object({
  system: z.string(),
  connections: z.number(),
  /** Of the process that has the connections. */
  kilobytesEach: z.number(),
  /** CPU milliseconds to open one, with its TLS handshake and one OPTIONS. */
  cpuToOpen: z.number(),
  /** Resident megabytes before, with all open, and a minute after all were closed. */
  megabytes: z.object({ before: z.number(), open: z.number(), closed: z.number() }),
  without: step,
  under: step,
});
export type Connections = z.infer<typeof connections>;

const growth = z.object({
  /** Configured phone numbers, of which the callers choose at random. */
  numbers: z.number(),
  /** Edges on the one engine. */
  edges: z.number(),
  /** The share of stored calls that have a trace; 1 is all. */
  traced: z.number(),
  step,
});
export type Growth = z.infer<typeof growth>;

export const reportSchema = z.object({
  version: z.literal(1),
  at: z.iso.datetime(),
  machine: z.object({ cores: z.number(), model: z.string() }),
  /** Arguments of `npm run bench`. */
  command: z.string(),
  systems: z.array(z.object({ name: z.string(), description: z.string() })),
  /** Why the peer was not measured; undefined: it was. */
  peerMissing: z.string().optional(),
  generator: z.array(calls),
  /** The first 1,000 calls of fresh processes. */
  cold: z.array(step),
  steps: z.array(step),
  cleanRates: z.array(cleanRate),
  held: z.array(held),
  afterLoad: z.array(afterLoad),
  connections: z.array(connections),
  growth: z.array(growth),
});
export type Report = z.infer<typeof reportSchema>;

/** The report that docs/performance.md is made from. */
export const checkedInFile = fileURLToPath(new URL('../../docs/performance.json', import.meta.url));

export const readReport = (file: string): Report =>
  reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

export const readCheckedIn = (): Report => readReport(checkedInFile);
