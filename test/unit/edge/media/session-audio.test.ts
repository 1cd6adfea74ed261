import { describe, expect, it } from 'vitest';
import type { NgReply } from '../../../../src/edge/media/ng-client.js';
import { MediaUnavailable } from '../../../../src/edge/media/rtpengine-pool.js';
import { type HoldState, holdPredecessors, SessionAudio } from '../../../../src/edge/media/session-audio.js';
import { SessionStateError } from '../../../../src/edge/media/session-phase.js';

const music = Buffer.from('music');

/** The audio of a session whose node notes its commands. */
function session(held?: HoldState) {
  const commands: string[] = [];
  const node: { reply: NgReply; permits: number } = { reply: { result: 'ok' }, permits: 0 };
  const command = async (name: string, parameters: object): Promise<NgReply> => {
    commands.push(`${name} ${(parameters as { 'from-tag'?: string })['from-tag'] ?? ''}`.trim());
    return node.reply;
  };
  const demand = async (name: string, parameters: object): Promise<NgReply> => {
    const reply = await command(name, parameters);
    if (reply.result !== 'ok') throw new MediaUnavailable(reply['error-reason'] ?? '');
    return reply;
  };
  const permit = async (): Promise<void> => {
    node.permits++;
  };
  const audio = new SessionAudio({ command, demand }, permit, held);
  return { audio, commands, node };
}

describe('hold', () => {
  const states = ['none', 'music', 'silence'] as const satisfies readonly HoldState[];
  const enter: Readonly<Record<HoldState, (audio: SessionAudio) => Promise<void>>> = {
    none: (audio) => audio.resume(),
    music: (audio) => audio.hold(music),
    silence: (audio) => audio.hold(undefined),
  };

  it.each(states.flatMap((from) => states.map((to) => [from, to] as const)))(
    'goes from %s to %s only as the table allows',
    async (from, to) => {
      const { audio } = session(from);
      const isLegal = holdPredecessors[to].includes(from);
      if (isLegal) await enter[to](audio);
      else await expect(enter[to](audio)).rejects.toBeInstanceOf(SessionStateError);
      expect(audio.holdState).toBe(isLegal ? to : from);
    },
  );

  it('with music blocks the agent, and resuming undoes exactly that', async () => {
    const { audio, commands } = session();
    await audio.hold(music);
    expect(commands.splice(0)).toEqual(['silence media trunk', 'block media agent', 'play media trunk']);
    await audio.resume();
    expect(commands).toEqual(['stop media trunk', 'unblock media agent', 'unsilence media trunk']);
  });

  it('without music silences both, and resuming undoes exactly that', async () => {
    const { audio, commands } = session();
    await audio.hold(undefined);
    expect(commands.splice(0)).toEqual(['silence media trunk', 'silence media agent']);
    await audio.resume();
    expect(commands).toEqual(['unsilence media agent', 'unsilence media trunk']);
  });

  it('keeps the block of the music when the reflection guard would end its own', async () => {
    const { audio, commands } = session('music');
    await audio.blockAgent(false);
    expect(commands).toEqual([]);
    await audio.blockAgent(true);
    expect(commands).toEqual(['block media agent']);
  });

  it('is still on when rtpengine cannot end it', async () => {
    const { audio, node } = session('silence');
    node.reply = { result: 'error', 'error-reason': 'Unknown call-id' };
    await expect(audio.resume()).rejects.toBeInstanceOf(MediaUnavailable);
    expect(audio.isOnHold).toBe(true);
  });
});

describe('the audio of a successor', () => {
  it('has the silence, the announcement and the hold of the session before', async () => {
    const before = session();
    await before.audio.silenceAgent(true);
    await before.audio.announce(Buffer.from('sorry'), 2);
    await before.audio.hold(music);
    const { audio, commands } = session();
    await audio.continueFrom(before.audio);
    expect(audio.holdState).toBe('music');
    expect(commands).toEqual(before.commands);
  });
});

describe('a digit', () => {
  it('ends a copy of the audio once per sequence, and permits insertion each time', async () => {
    const { audio, commands, node } = session();
    expect(audio.hasRecentDigits).toBe(false);
    expect(await audio.playDigit('trunk', '1', 100)).toBe(true);
    expect(await audio.playDigit('trunk', '2', 100)).toBe(true);
    expect(commands).toEqual(['unsubscribe', 'play DTMF agent', 'play DTMF agent']);
    expect([node.permits, audio.hasRecentDigits]).toEqual([2, true]);
  });

  it('is not played without a stream, and fails with any other error', async () => {
    const { audio, node } = session();
    node.reply = { result: 'error', 'error-reason': 'No RTP stream' };
    expect(await audio.playDigit('agent', '1', 100)).toBe(false);
    node.reply = { result: 'error', 'error-reason': 'Unknown call-id' };
    await expect(audio.playDigit('agent', '1', 100)).rejects.toBeInstanceOf(MediaUnavailable);
  });
});
