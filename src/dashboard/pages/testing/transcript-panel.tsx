import type { JSX, TargetedSubmitEvent } from 'preact';
import { useAction } from '../../api/action.js';
import { generateScenario, type ScenarioProposal } from '../../api/testing.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { recordedLines } from './scenario-draft.js';

/** Takes what was said in a call of which no messages are stored, and lets a model make a scenario from it. */
export function TranscriptPanel({
  callId,
  onGenerated,
}: {
  readonly callId: string;
  readonly onGenerated: (proposal: ScenarioProposal) => void;
}): JSX.Element {
  const { isBusy, problem, follow } = useAction();
  const generate = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('transcript') ?? '');
    follow(generateScenario({ call_id: callId, transcript: recordedLines(text) }), onGenerated);
  };
  return (
    <Panel
      title="What was said in the call"
      note="Demarc does not transcribe calls, and the agent of this one stored no messages. Paste a transcript to generate the scenario from it, or fill in the form below."
    >
      <form class="stacked" onSubmit={generate}>
        <label>
          Transcript, one line each: “caller: …” or “agent: …”
          <textarea
            name="transcript"
            rows={6}
            required
            placeholder={'agent: Good morning, how can I help?\ncaller: I need an appointment on Tuesday.'}
          />
        </label>
        {problem !== undefined && (
          <Problem title="Not generated">
            <p>{problem.message}</p>
          </Problem>
        )}
        <div class="buttons">
          <button type="submit" disabled={isBusy}>
            {isBusy ? 'Generating …' : 'Generate scenario'}
          </button>
        </div>
      </form>
    </Panel>
  );
}
