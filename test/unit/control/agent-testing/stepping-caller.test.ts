import { expect, it } from 'vitest';
import { SteppingCaller } from '../../../../src/control/agent-testing/conversation/stepping-caller.js';
import type { ChatLine } from '../../../../src/control/agent-testing/schemas/scenario.js';
import { voiceSettingsSchema } from '../../../../src/control/agent-testing/schemas/voice.js';

const { signal } = new AbortController();
const agent = (content: string): ChatLine => ({ role: 'assistant', content });
const speaker = { next: async () => ({ text: 'words', hangsUp: false }) };

it('acts in the turns that its steps name, and speaks in the others', async () => {
  const caller = new SteppingCaller(speaker, [
    { turn: 2, silence_ms: 8_000 },
    { turn: 3, hold_ms: 5_000 },
  ]);
  const chat: ChatLine[] = [];
  const said: string[] = [];
  for (let turn = 0; turn < 4; turn++) {
    chat.push(agent('Yes?'));
    const line = await caller.next(chat, signal);
    said.push(line!.text);
    chat.push({ role: 'user', content: line!.text });
  }
  expect(said).toEqual(['words', '[silent for 8 s]', '[on hold for 5 s]', 'words']);
});

it('presses keys once when it hears the words of a menu, whatever their case and punctuation', async () => {
  const caller = new SteppingCaller(speaker, [{ when_heard: 'press one', digits: '1w#' }]);
  const menu = [agent('For sales, PRESS: one. For support, press two.')];
  expect(await caller.next([agent('Welcome.')], signal)).toMatchObject({ text: 'words' });
  expect(await caller.next(menu, signal)).toMatchObject({
    text: '[keys pressed: 1#]',
    step: { digits: '1w#' },
  });
  expect(await caller.next(menu, signal)).toMatchObject({ text: 'words' });
});

it.each([
  [{ turn: 1 }, /digits, silence_ms or hold_ms/],
  [{ turn: 1, digits: '1', hold_ms: 900 }, /only one/],
  [{ digits: '1' }, /turn or when_heard/],
  [{ turn: 1, digits: 'x' }, /0–9/],
])('rejects the step %j', (step, message) => {
  const read = voiceSettingsSchema.safeParse({ steps: [step] });
  expect(read.error?.message).toMatch(message);
});
