import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type * as client from '../../../clients/typescript/src/index.js';
import type { alertSchema } from '../../../src/control/alerts/alert-view.js';
import type { callDetailSchema, liveCallDetailSchema } from '../../../src/control/calls/history/call-view.js';
import type { historySchema } from '../../../src/control/health/history.js';
import type * as control from '../../../src/control/noc/view.js';

/** Control's answers match the types of its clients, the dashboard included: the compiler compares the two. */
describe('the answers of control', () => {
  it('are those of the generated types', () => {
    expectTypeOf<control.NocSummary>().toExtend<client.NocSummary>();
    expectTypeOf<control.LiveCalls>().toExtend<client.LiveCalls>();
    expectTypeOf<control.CallEvent>().toExtend<client.CallEvent>();
    expectTypeOf<control.CallSeries>().toExtend<client.CallSeries>();
    expectTypeOf<z.infer<typeof callDetailSchema>>().toExtend<client.CallDetail>();
    expectTypeOf<z.infer<typeof liveCallDetailSchema>>().toExtend<client.LiveCallDetail>();
    expectTypeOf<z.infer<typeof historySchema>>().toExtend<client.HealthHistory>();
    expectTypeOf<z.infer<typeof alertSchema>>().toExtend<client.Alert>();
  });
});
