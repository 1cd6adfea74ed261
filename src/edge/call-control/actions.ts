import { type AgentMetadata, mergedMetadata, metadataLimitText } from '../../contract/agent-metadata.js';
import type { CallAction } from '../../contract/call-control.js';
import type { Call } from '../call/call.js';
import { sendDigits } from '../call/send-digits.js';
import type { Listener } from '../listening/listenings.js';
import { holdMusic } from '../media/hold-music.js';
import { failureText } from '../sip/messages.js';
import { sipReason } from '../sip/reason.js';
import { isSettled } from '../transfer/known-dialog.js';
import { decideTransfer } from './decide-transfer.js';
import { conflict, done, type Outcome } from './outcome.js';
import { orderOfStream } from './stream-action.js';

/** Carries out an API request on an active call. Never rejects. */
export async function act(call: Call, action: CallAction): Promise<Outcome> {
  if (action.action === 'stop') {
    stopByApi(call);
    return done;
  }
  if (action.action === 'note') return note(call, action.values);
  if (action.action === 'end_listening') {
    call.deps.listenings.end(call, action.listening_id);
    return done;
  }
  if (action.action === 'complete_transfer' || action.action === 'cancel_transfer')
    return decideTransfer(call, action.action);
  if (!isSettled(call)) return conflict('The call is not answered yet, has ended, or is being transferred');
  try {
    switch (action.action) {
      case 'send_digits':
        return await send(call, action.digits);
      case 'hold':
        return await hold(call, action.music);
      case 'resume':
        return await resume(call);
      case 'stream':
        return await orderOfStream(call, action.order);
      case 'listen':
        return await listen(call, { id: action.listening_id, name: action.listener });
    }
  } catch (error) {
    call.log.warn({ error: failureText(error), action: action.action }, 'An API request to the call failed.');
    return { result: 'failed', detail: failureText(error) };
  }
}

/** Ends the call; an unanswered one is refused to the caller, or cancelled towards the callee. */
export function stopByApi(call: Call): void {
  // In a CANCEL, 200 would mean "answered elsewhere" (RFC 3326 §3.1).
  const cause = call.state.answeredAt === null ? 487 : 200;
  const answer = { status: 480, headers: { Reason: sipReason(480, 'Stopped') } };
  call.end({ reason: 'stopped', by: 'api' }, { reason: sipReason(cause, 'Stopped'), answer });
}

/** Resolves when the first digit is sent; the others follow in the background. */
async function send(call: Call, digits: string): Promise<Outcome> {
  if (call.digits.isSending) return conflict('Other DTMF digits are still being sent');
  if (call.media!.audio.isOnHold) return conflict('The call is on hold');
  return new Promise((resolve) => {
    const begun = (): void => resolve(done);
    call.digits
      .sending(() => sendDigits(call, digits, begun))
      .then((areSent) => {
        const detail =
          'The agent sends no audio that could carry digits, and the trunk does not support INFO';
        resolve(areSent ? done : { result: 'failed', detail });
      })
      .catch((error: unknown) => {
        call.log.warn({ error: failureText(error) }, 'Sending DTMF failed.');
        resolve({ result: 'failed', detail: failureText(error) });
      });
    // Only pauses: there is no first digit to wait for.
    if (/^w+$/.test(digits)) begun();
  });
}

/** Again with other music, or none, while the call is on hold. */
async function hold(call: Call, music: boolean): Promise<Outcome> {
  const { audio } = call.media!;
  if (call.digits.isSending) return conflict('Digits are being sent');
  if (audio.isOnHold) await audio.resume();
  await audio.hold(music ? holdMusic() : undefined);
  call.changed();
  call.log.info({ music }, 'Call put on hold by the API.');
  return done;
}

async function resume(call: Call): Promise<Outcome> {
  if (!call.media!.audio.isOnHold) return conflict('The call is not on hold');
  await call.media!.audio.resume();
  call.changed();
  call.log.info('Call resumed by the API.');
  return done;
}

async function listen(call: Call, listener: Listener): Promise<Outcome> {
  const refusal = await call.deps.listenings.begin(call, listener);
  return refusal === undefined ? done : conflict(refusal);
}

/** Also before the answer and while the call is being transferred. */
function note(call: Call, values: AgentMetadata): Outcome {
  if (call.hasEnded) return conflict('The call has ended');
  const metadata = mergedMetadata(call.state.agentMetadata, values);
  if (metadata === undefined) return { result: 'invalid', detail: metadataLimitText };
  call.noteAgentMetadata(metadata);
  return { ...done, metadata };
}
