import { expect, it } from 'vitest';
import { pause } from '../../../src/testkit/waiting.js';
import { TestProcess } from '../../support/processes.js';

it('a process whose output and messages are awaited often has no listener for each', async () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error): number => warnings.push(message);
  process.on('warning', warned);
  const script = 'setInterval(() => { console.log("tick"); process.send("tick"); }, 5)';
  const child = new TestProcess(process.execPath, ['-e', script]);
  try {
    for (let time = 0; time < 12; time++) {
      await child.line(/tick/, 5_000);
      await child.message((message) => message === 'tick' || undefined, 5_000, 'tick');
    }
    await pause(0);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', warned);
    await child.stop();
  }
});
