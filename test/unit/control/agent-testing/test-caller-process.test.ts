import { pino } from 'pino';
import { expect, it } from 'vitest';
import { TestCallerProcess } from '../../../../src/control/agent-testing/voice/test-caller-process.js';

it('refuses a call while its process is restarted, instead of waiting for one that was never placed', async () => {
  const caller = new TestCallerProcess(pino({ level: 'silent' }));
  // As after a crash: it was started, and the next process is not ready.
  Object.assign(caller, { starting: Promise.resolve() });
  const order = {
    id: 'one',
    target: { protocol: 'tcp' as const, host: '127.0.0.1', port: 9 },
    number: '000',
    uriParameters: ';organization=acme',
    callerNumber: null,
    sipCallId: 'one@test',
    headers: {},
    answerMilliseconds: 1_000,
    maximumMilliseconds: 1_000,
    endOfTurnMilliseconds: 700,
    isRecorded: false,
  };
  await expect(caller.call(order)).rejects.toThrow('is being restarted');
});
