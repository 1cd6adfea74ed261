import type { z } from 'zod';
import { whole } from './environment.js';

/** Variables of agent tests; each default with its reason. */
export const agentTestVariables = {
  /** Runs that one control process runs at a time; a run mostly waits for models. */
  DEMARC_AGENT_TEST_WORKERS: whole(1, 1_000).default(16),
  /** Runs of one organization at a time: models are shared with its calls. */
  DEMARC_AGENT_TEST_CONCURRENCY: whole(1, 1_000).default(8),
  /** Callers of a load test at once, all in one control process: each mostly waits for the agent and for models. */
  DEMARC_AGENT_TEST_LOAD_CALLERS: whole(1, 500).default(50),
  /** Requests of one organization that start runs: each run costs money. */
  DEMARC_AGENT_TEST_STARTS_PER_MINUTE: whole(1, 100_000).default(60),
  /** Runs of one organization that have not ended; the largest simulation set fits twice. */
  DEMARC_AGENT_TEST_QUEUE_LENGTH: whole(1, 1_000_000).default(2_000),
  /** Fifty turns of a slow model take ten minutes. */
  DEMARC_AGENT_TEST_RUN_SECONDS: whole(1, 7_200).default(900),
  /** A process renews it while it runs a test: after this long without, it is dead and another one repeats the run. */
  DEMARC_AGENT_TEST_LEASE_SECONDS: whole(1, 600).default(10),
  /** The largest window of the analytics; 0 keeps runs for ever. */
  DEMARC_AGENT_TEST_RETENTION_DAYS: whole(0, 36_500).default(365),
  /** Recordings of runs by voice; 0 records none. */
  DEMARC_AGENT_TEST_RECORDING_DAYS: whole(0, 36_500).default(30),
  /** Of one organization: about nine hours of calls. The longest recording has 10 MB. */
  DEMARC_AGENT_TEST_RECORDING_MEGABYTES: whole(20, 1_000_000).default(500),
  /** Tokens that the models of agent tests may take for each organization; 0 sets no limit. */
  DEMARC_AGENT_TEST_TOKENS_PER_DAY: whole(0, 1_000_000_000_000).default(0),
  DEMARC_AGENT_TEST_TOKENS_PER_MONTH: whole(0, 1_000_000_000_000).default(0),
} as const;

type Read = z.output<z.ZodObject<typeof agentTestVariables>>;

/** Per day and month in UTC; null: no limit. */
export interface TokenLimits {
  readonly perDay: number | null;
  readonly perMonth: number | null;
}

export interface AgentTestSettings {
  readonly workers: number;
  /** Of one organization. */
  readonly concurrency: number;
  /** Of one load test at once. */
  readonly loadCallers: number;
  readonly startsPerMinute: number;
  readonly queueLength: number;
  readonly runMilliseconds: number;
  readonly leaseMilliseconds: number;
  /** 0: for ever. */
  readonly retentionDays: number;
  readonly recordings: {
    /** Until they are deleted; 0: none are made. */
    readonly days: number;
    /** Of one organization; the oldest are deleted. */
    readonly octets: number;
  };
  /** Of one organization. */
  readonly tokens: TokenLimits;
}

export const agentTestSettings = (read: Read): AgentTestSettings => ({
  workers: read.DEMARC_AGENT_TEST_WORKERS,
  concurrency: read.DEMARC_AGENT_TEST_CONCURRENCY,
  loadCallers: read.DEMARC_AGENT_TEST_LOAD_CALLERS,
  startsPerMinute: read.DEMARC_AGENT_TEST_STARTS_PER_MINUTE,
  queueLength: read.DEMARC_AGENT_TEST_QUEUE_LENGTH,
  runMilliseconds: read.DEMARC_AGENT_TEST_RUN_SECONDS * 1_000,
  leaseMilliseconds: read.DEMARC_AGENT_TEST_LEASE_SECONDS * 1_000,
  retentionDays: read.DEMARC_AGENT_TEST_RETENTION_DAYS,
  recordings: {
    days: read.DEMARC_AGENT_TEST_RECORDING_DAYS,
    octets: read.DEMARC_AGENT_TEST_RECORDING_MEGABYTES * 1_000_000,
  },
  tokens: {
    perDay: read.DEMARC_AGENT_TEST_TOKENS_PER_DAY || null,
    perMonth: read.DEMARC_AGENT_TEST_TOKENS_PER_MONTH || null,
  },
});
