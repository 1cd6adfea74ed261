import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { alertSchema } from '../../../src/control/alerts/alert-view.js';
import type { historySchema } from '../../../src/control/health/history.js';
import type { callDetailSchema, liveCallDetailSchema } from '../../../src/control/history/call-view.js';
import type * as control from '../../../src/control/noc/view.js';
import type { Alert } from '../../../src/dashboard/api/alerts.js';
import type { EndedCall, UnfinishedCall } from '../../../src/dashboard/api/calls.js';
import type * as dashboard from '../../../src/dashboard/api/noc.js';

/** What control answers is what the dashboard reads: the compiler compares the two. */
describe('the answers of control', () => {
  it('are those that the dashboard expects', () => {
    expectTypeOf<control.NocSummary>().toExtend<dashboard.Summary>();
    expectTypeOf<control.LiveCalls>().toExtend<dashboard.LiveCalls>();
    expectTypeOf<control.CallEvent>().toExtend<dashboard.CallEvent>();
    expectTypeOf<control.CallSeries>().toExtend<dashboard.CallSeries>();
    expectTypeOf<z.infer<typeof callDetailSchema>>().toExtend<EndedCall>();
    expectTypeOf<z.infer<typeof liveCallDetailSchema>>().toExtend<UnfinishedCall>();
    expectTypeOf<z.infer<typeof historySchema>>().toExtend<dashboard.HealthHistory>();
    expectTypeOf<z.infer<typeof alertSchema>>().toExtend<Alert>();
  });
});
