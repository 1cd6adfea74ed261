import type { JSX } from 'preact';
import { NumberField } from './number-field.js';
import { StepsField } from './steps-field.js';
import type { VoiceDraft } from './voice-draft.js';

/** How the scenario is run as a call: whom it calls, how the caller sounds, how long it waits, and when it interrupts. */
export function VoiceSettings({
  voice,
  onChange,
}: {
  readonly voice: VoiceDraft;
  readonly onChange: (changed: Partial<VoiceDraft>) => void;
}): JSX.Element {
  return (
    <>
      <label>
        Number or SIP URI to call (optional)
        <input
          value={voice.destination}
          placeholder="Default: the agent’s SIP URI or the persona’s number"
          onInput={({ currentTarget }) => onChange({ destination: currentTarget.value })}
        />
      </label>
      <details class="more-fields" open={voice.interrupts}>
        <summary>Settings of the call</summary>
        <div class="stacked">
          <label>
            Number that the agent sees (optional)
            <input
              value={voice.callerNumber}
              placeholder="Default: an anonymous caller"
              onInput={({ currentTarget }) => onChange({ callerNumber: currentTarget.value })}
            />
          </label>
          <label>
            Language of the caller
            <input
              required
              value={voice.language}
              onInput={({ currentTarget }) => onChange({ language: currentTarget.value })}
            />
          </label>
          <label>
            Voice of the caller (optional)
            <input
              value={voice.speaker}
              placeholder="Default: that of the speech service"
              onInput={({ currentTarget }) => onChange({ speaker: currentTarget.value })}
            />
          </label>
          <NumberField
            label="Speed of the caller’s speech, 1 is usual"
            range={[0.5, 2]}
            step={0.1}
            value={voice.speed}
            onChange={(speed) => onChange({ speed })}
          />
          <NumberField
            label="Silence that ends the agent’s turn, milliseconds"
            range={[200, 5_000]}
            value={voice.endOfTurn}
            onChange={(endOfTurn) => onChange({ endOfTurn })}
          />
          <NumberField
            label="Longest wait for a reply, milliseconds"
            range={[500, 60_000]}
            value={voice.replyTimeout}
            onChange={(replyTimeout) => onChange({ replyTimeout })}
          />
          <NumberField
            label="Longest duration of the call, seconds"
            range={[5, 1_800]}
            value={voice.maximumDuration}
            onChange={(maximumDuration) => onChange({ maximumDuration })}
          />
          <NumberField
            label="Gain of the caller’s voice, decibels"
            range={[-30, 20]}
            value={voice.gain}
            onChange={(gain) => onChange({ gain })}
          />
          <label>
            Noise around the caller
            <select
              value={voice.noise}
              onChange={({ currentTarget }) =>
                onChange({ noise: currentTarget.value as VoiceDraft['noise'] })
              }
            >
              <option value="">None</option>
              <option value="babble">Babble: people who talk</option>
              <option value="street">Street: traffic</option>
              <option value="office">Office: ventilation and keys</option>
            </select>
          </label>
          {voice.noise !== '' && (
            <NumberField
              label="Level of the noise, dBov"
              range={[-60, -15]}
              value={voice.noiseLevel}
              onChange={(noiseLevel) => onChange({ noiseLevel })}
            />
          )}
          <NumberField
            label="Lost packets of the caller, per cent"
            range={[0, 50]}
            value={voice.loss}
            onChange={(loss) => onChange({ loss })}
          />
          <NumberField
            label="Jitter of the caller’s packets, milliseconds"
            range={[0, 200]}
            value={voice.jitter}
            onChange={(jitter) => onChange({ jitter })}
          />
          <NumberField
            label="Seed of noise, losses and jitter"
            range={[0, 1_000_000]}
            value={voice.seed}
            onChange={(seed) => onChange({ seed })}
          />
          <StepsField steps={voice.steps} onChange={(steps) => onChange({ steps })} />
          <label class="check">
            <input
              type="checkbox"
              checked={voice.interrupts}
              onChange={({ currentTarget }) => onChange({ interrupts: currentTarget.checked })}
            />
            Interrupt the agent once
          </label>
          {voice.interrupts && (
            <>
              <label>
                What the caller says to interrupt
                <input
                  required
                  maxLength={500}
                  value={voice.interruption}
                  placeholder="Wait, one more thing."
                  onInput={({ currentTarget }) => onChange({ interruption: currentTarget.value })}
                />
              </label>
              <NumberField
                label="Reply that is interrupted: to which turn of the caller; 0 is the greeting"
                range={[0, 50]}
                value={voice.interruptedTurn}
                onChange={(interruptedTurn) => onChange({ interruptedTurn })}
              />
              <NumberField
                label="Milliseconds after the reply has begun"
                range={[0, 30_000]}
                value={voice.interruptsAfter}
                onChange={(interruptsAfter) => onChange({ interruptsAfter })}
              />
            </>
          )}
        </div>
      </details>
    </>
  );
}
