import type { EdgeSettings } from '../../config/edge-settings.js';
import type { AdmissionChain } from '../admission/chain.js';
import type { RefusalBudget } from '../admission/refusal-budget.js';
import type { Logger } from '../log.js';
import type { MediaWatch } from '../media/media-watch.js';
import type { RtpenginePool } from '../media/rtpengine-pool.js';
import type { EdgeMetrics } from '../metrics.js';
import type { CallStream } from '../record/call-stream.js';
import type { TraceCollector } from '../trace/trace-collector.js';
import type { CallTable } from './call-table.js';
import type { EngineLink } from './engine-link.js';

/** What every call works with; one set a process. */
export interface CallParts {
  readonly settings: Pick<EdgeSettings, 'edgeId' | 'call' | 'drain'>;
  readonly engine: EngineLink;
  readonly admission: Pick<AdmissionChain, 'admit'>;
  readonly pool: RtpenginePool;
  /** Which of many calls that find no media are worth a record. */
  readonly mediaFailures: RefusalBudget;
  readonly watch: MediaWatch;
  readonly traces: Pick<TraceCollector, 'expect' | 'take' | 'forget' | 'port'>;
  readonly stream: Pick<CallStream, 'publish'>;
  readonly metrics: EdgeMetrics;
  readonly table: CallTable;
  readonly log: Logger;
}
