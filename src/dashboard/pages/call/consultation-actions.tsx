import type { JSX } from 'preact';
import { cancelWarmTransfer, completeWarmTransfer } from '../../api/call-actions.js';
import type { UnfinishedCall } from '../../api/calls.js';
import { State, type Tone } from '../../parts/state.js';
import { Action, type Actor } from './action.js';

type Stage = NonNullable<UnfinishedCall['consultation']>;

interface Shown {
  readonly tone: Tone;
  readonly name: string;
  readonly note: string;
}

const shown: Readonly<Record<Stage, Shown>> = {
  calling: {
    tone: 'busy',
    name: 'Calling the target',
    note: 'The caller hears music, the agent silence.',
  },
  connecting: {
    tone: 'busy',
    name: 'Connecting the agent',
    note: 'The target has answered. The caller hears music.',
  },
  consulting: {
    tone: 'good',
    name: 'Consultation',
    note: 'The agent talks to the target. The caller hears music.',
  },
  joining: {
    tone: 'busy',
    name: 'Connecting the caller',
    note: 'The caller and the target are being connected; the agent leaves.',
  },
  returning: {
    tone: 'busy',
    name: 'Returning to the agent',
    note: 'The transfer has failed or was cancelled. The caller returns to the agent.',
  },
};

const isDecided = (stage: Stage): boolean => stage === 'joining' || stage === 'returning';

/** Stage of a warm transfer, and what can be done about it. */
export function ConsultationActions({
  id,
  stage,
  ...actor
}: Actor & { readonly id: string; readonly stage: Stage }): JSX.Element {
  const { tone, name, note } = shown[stage];
  return (
    <>
      <p role="status">
        <State tone={tone}>{name}</State> {note}
      </p>
      <div class="buttons">
        <Action
          request={completeWarmTransfer(id)}
          obstacle={stage === 'consulting' ? undefined : 'The agent does not talk to the target.'}
          {...actor}
        >
          Complete transfer
        </Action>
        <Action
          request={cancelWarmTransfer(id)}
          obstacle={isDecided(stage) ? 'The consultation is over.' : undefined}
          {...actor}
        >
          Cancel transfer
        </Action>
      </div>
    </>
  );
}
