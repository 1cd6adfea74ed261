import { createLog } from '../base/log.js';
import { surviveFaults } from '../base/process-faults.js';
import { preferThisProcess } from '../base/process-priority.js';
import { onStopRequest, reportReady } from '../base/stop-requests.js';
import type { FromTestCaller, ToTestCaller } from '../contract/voice-call.js';
import { TestCall } from './test-call.js';

/** `demarc test-caller`: calls as `demarc control` orders on the IPC channel, and ends with it. */
export async function main(): Promise<void> {
  const log = createLog({ level: 'info', role: 'test-caller' });
  if (process.send === undefined) {
    process.stderr.write(
      'demarc test-caller: demarc control starts it; it takes orders on an IPC channel only\n',
    );
    process.exit(2);
  }
  surviveFaults(log);
  preferThisProcess();
  const calls = new Map<string, TestCall>();
  const report = (message: FromTestCaller): void => {
    if (process.connected) process.send?.(message);
  };
  process.on('message', (order: ToTestCaller) => {
    const { id } = order;
    if (order.type === 'say') calls.get(id)?.say(order);
    else if (order.type === 'press') calls.get(id)?.press(order.line, order.digits);
    else if (order.type === 'hold') void calls.get(id)?.hold(order.isHeld);
    else if (order.type === 'hangUp') calls.get(id)?.hangUp();
    else {
      const call = new TestCall(order, { report, ended: () => calls.delete(id) });
      calls.set(id, call);
      void call.begin();
    }
  });
  onStopRequest(log, async () => {
    for (const call of [...calls.values()]) call.hangUp();
  });
  reportReady();
}
