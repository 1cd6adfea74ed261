import type { JSX } from 'preact';
import { Choice } from '../parts/choice.js';
import { At, CheckField, LinesField, PairsField, SelectField, TextField, useField } from './fields.js';

/** Who takes calls: a SIP agent, several that ring together, or a WebSocket server. */

const formats = [
  ['', 'Media streams (as Twilio Media Streams)'],
  ['pcm', 'PCM'],
] as const;
const rates = [
  ['', '16 kHz'],
  ['8000', '8 kHz'],
  ['24000', '24 kHz'],
] as const;
const preambles = [
  ['', 'Demarc'],
  ['listen', 'jambonz listen'],
] as const;
const moments = [
  ['', 'When the bot is connected'],
  ['first_audio', 'At the first audio of the bot'],
] as const;

type Kind = 'sip' | 'several' | 'websocket';

/** Who answers calls to the number. */
export function AgentFields(): JSX.Element {
  return (
    <KindOfAgent
      note="SIP URI that answers calls to the number. Empty: the service’s default agent"
      mayBeSeveral
    />
  );
}

/** Who talks in calls that the number places. */
export const CallingAgentFields = (): JSX.Element => (
  <KindOfAgent note="SIP URI. Empty: the agent of calls to the number" mayBeSeveral={false} />
);

/** Who takes the calls of a persona. */
export const PersonaAgentFields = (): JSX.Element => (
  <KindOfAgent note="SIP URI. Empty: the agent of the number or order" mayBeSeveral={false} />
);

function KindOfAgent({ note, mayBeSeveral }: { note: string; mayBeSeveral: boolean }): JSX.Element {
  const group = useField('options.agents');
  const agent = useField('agent');
  const isBot = typeof agent.value === 'object' && agent.value !== null;
  const kind: Kind = group.value !== undefined ? 'several' : isBot ? 'websocket' : 'sip';
  const choose = (next: Kind): void => {
    if (mayBeSeveral) group.set(next === 'several' ? { strategy: 'ring_all', endpoints: [] } : undefined);
    if (next === 'websocket') agent.set(isBot ? agent.value : { type: 'websocket', url: '' });
    else if (isBot) agent.set(undefined);
  };
  return (
    <div class="fields-grid">
      <div class="field wide-field">
        <Choice
          label="Agent"
          value={kind}
          options={[
            ['sip', 'SIP agent'],
            ...(mayBeSeveral ? [['several', 'Several, ringing together'] as const] : []),
            ['websocket', 'WebSocket server'],
          ]}
          onChange={choose}
        />
      </div>
      {kind === 'several' && (
        <LinesField
          path="options.agents.endpoints"
          label="Agents"
          note="SIP URIs or wss:// URLs, 2 to 10, one per line. The first that answers has the call."
          placeholder={'sip:one.example.com\nsip:two.example.com'}
        />
      )}
      {kind === 'sip' && (
        <TextField path="agent" label="Agent" note={note} placeholder="sip:agent.example.com" isMono isWide />
      )}
      {kind === 'websocket' && (
        <At path="agent">
          <BotFields />
        </At>
      )}
    </div>
  );
}

/** Below `agent`. */
function BotFields(): JSX.Element {
  const format = useField('format');
  return (
    <>
      <TextField
        path="url"
        label="URL"
        note="Server that every call is connected to. Secrets belong in headers: URLs have no query."
        placeholder="wss://bot.example.com/stream"
        isMono
        isWide
      />
      <SelectField path="format" label="Messages" options={formats} />
      {format.value === 'pcm' && (
        <>
          <SelectField path="sample_rate" label="Sample rate" options={rates} isNumber />
          <SelectField path="preamble" label="First message" options={preambles} />
        </>
      )}
      <SelectField path="answer_on" label="Answer the call" options={moments} />
      <TextField
        path="fallback"
        label="Fallback"
        note="SIP agent that takes calls when the bot cannot be reached. Empty: the call fails"
        placeholder="sip:agent.example.com"
        isMono
      />
      <PairsField
        path="parameters"
        label="Parameters"
        note="Passed to the bot in its first message, one per line: name: value"
        placeholder="tenant: blue"
      />
      <PairsField
        path="headers"
        label="Headers"
        note="Sent when connecting, one per line: Name: value. Stored encrypted; [redacted] keeps the stored value."
        placeholder="Authorization: Bearer …"
      />
      <CheckField path="comfort_tone" label="Play a soft tone until the bot speaks" />
      <p class="note wide-field">
        Handshakes are signed with the <a href="/setup/bots">signing secret</a> of the organization.
      </p>
    </>
  );
}
