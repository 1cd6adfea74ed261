import { hostname } from 'node:os';
import { z } from 'zod';
import { type LogLevel, logLevels } from '../base/log-level.js';
import type { RedisServers } from '../base/redis.js';
import {
  deepFreeze,
  type Environment,
  flag,
  type HostPort,
  hostPort,
  networkList,
  readEnvironment,
  SettingsError,
  whole,
} from './environment.js';
import { metricsToken } from './metrics-token.js';
import { secretKey } from './secret-key.js';
import { redisServersOf, redisVariables } from './store-settings.js';

export const rtpSocketChoices = ['auto', 'native', 'dgram'] as const;
export type RtpSocketChoice = (typeof rtpSocketChoices)[number];

/** The variables of `demarc media-stream`; each default with its reason. */
const variables = {
  /** Names this process in logs, in the pool that edges choose from, and in the calls that its successor continues. */
  DEMARC_STREAM_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'letters, digits, . _ - only')
    .optional(),
  DEMARC_LOG_LEVEL: z.enum(logLevels).default('info'),
  ...redisVariables,
  /** Opens the orders of edges: the same key as theirs. */
  DEMARC_SECRET_KEY: secretKey.optional(),
  /** The key before the last change, still accepted for reading. */
  DEMARC_SECRET_KEY_PREVIOUS: secretKey.optional(),
  /** SIP from the edges over TCP and UDP, and RTP from rtpengine, at the same address. Private: no trunk sends here. */
  DEMARC_STREAM_LISTEN: hostPort.default({ host: '127.0.0.1', port: 5_090 }),
  /** How RTP is sent and received: by system calls where the package koffi has a binary, else by `node:dgram`, or one of them alone. */
  DEMARC_STREAM_SOCKETS: z.enum(rtpSocketChoices).default('auto'),
  /** Private HTTP: health and metrics. */
  DEMARC_STREAM_HTTP: hostPort.default({ host: '127.0.0.1', port: 0 }),
  DEMARC_METRICS_TOKEN: metricsToken.optional(),
  /** PEM file of authorities that bots' certificates may come from, beside the public ones. */
  DEMARC_STREAM_CA: z.string().optional(),
  /** `ws://` and private addresses of bots; false in production, because customers choose the URLs. */
  DEMARC_STREAM_ALLOW_PRIVATE: flag.default(false),
  /** Networks of bots that are allowed nevertheless. */
  DEMARC_STREAM_PRIVATE_NETWORKS: networkList,
  /** How long a call outlives the loss of its bot's connection; callers hear a tone meanwhile. */
  DEMARC_STREAM_RECONNECT_SECONDS: whole(0, 120).default(15),
  /** Audio that a bot may send ahead of what is heard; bridges to models send whole answers at once. */
  DEMARC_STREAM_QUEUE_SECONDS: whole(1, 600).default(120),
  /** Above this lateness of frames (99 of 100) new calls go to other processes, if there are any; ears begin to notice at some 20 ms. */
  DEMARC_STREAM_MAX_LATENESS_MS: whole(1, 1_000).default(8),
  /** A bound on memory alone; lateness decides before. */
  DEMARC_STREAM_MAX_CALLS: whole(1, 10_000).default(1_000),
  /** As the edge's: calls that run when the process is asked to stop have this long. */
  DEMARC_DRAIN_SECONDS: whole(0, 86_400).default(30),
};

/** All settings of the role, read once at start and frozen. */
export interface MediaStreamSettings {
  readonly id: string;
  readonly log: { readonly level: LogLevel };
  readonly redis: RedisServers;
  readonly secretKeys: readonly string[];
  readonly listen: HostPort;
  readonly sockets: RtpSocketChoice;
  readonly http: HostPort;
  readonly metricsToken: string | undefined;
  readonly caFile: string | undefined;
  readonly egress: { readonly allowPrivate: boolean; readonly privateNetworks: readonly string[] };
  readonly reconnectMilliseconds: number;
  readonly queueMilliseconds: number;
  readonly maximumLatenessMilliseconds: number;
  readonly maximumCalls: number;
  readonly drainSeconds: number;
}

/** Throws `SettingsError`. */
export function readMediaStreamSettings(environment: Environment): MediaStreamSettings {
  const read = readEnvironment(variables, environment);
  const problems: string[] = [];
  const redis = redisServersOf(read, problems);
  const { DEMARC_SECRET_KEY: key, DEMARC_SECRET_KEY_PREVIOUS: previous } = read;
  if (key === undefined) problems.push('DEMARC_SECRET_KEY: must be set, to the key of the edges');
  if (problems.length > 0) throw new SettingsError(problems);
  return deepFreeze({
    id: read.DEMARC_STREAM_ID ?? hostname(),
    log: { level: read.DEMARC_LOG_LEVEL },
    redis,
    secretKeys: [key, previous].filter((each) => each !== undefined),
    listen: read.DEMARC_STREAM_LISTEN,
    sockets: read.DEMARC_STREAM_SOCKETS,
    http: read.DEMARC_STREAM_HTTP,
    metricsToken: read.DEMARC_METRICS_TOKEN,
    caFile: read.DEMARC_STREAM_CA,
    egress: {
      allowPrivate: read.DEMARC_STREAM_ALLOW_PRIVATE,
      privateNetworks: read.DEMARC_STREAM_PRIVATE_NETWORKS,
    },
    reconnectMilliseconds: read.DEMARC_STREAM_RECONNECT_SECONDS * 1_000,
    queueMilliseconds: read.DEMARC_STREAM_QUEUE_SECONDS * 1_000,
    maximumLatenessMilliseconds: read.DEMARC_STREAM_MAX_LATENESS_MS,
    maximumCalls: read.DEMARC_STREAM_MAX_CALLS,
    drainSeconds: read.DEMARC_DRAIN_SECONDS,
  });
}
