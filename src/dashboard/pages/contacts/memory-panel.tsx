import type { JSX } from 'preact';
import type { Memory } from '../../api/contacts.js';
import { Facts, Panel, TableHead, WideTable } from '../../parts/panel.js';
import { State, type Tone } from '../../parts/state.js';
import { When } from '../../parts/time.js';

const tones: Readonly<Record<Memory['open_items'][number]['priority'], Tone>> = {
  low: 'idle',
  medium: 'busy',
  high: 'warn',
};

const whose = ({ persona_id: persona, agent_number: number }: Memory): JSX.Element => (
  <>
    {persona === '' ? 'Agent without a persona' : <>Persona {persona}</>}
    {number !== null && <>, number {number}</>}
  </>
);

/** What one persona, or the agent of one number, remembers. */
export function MemoryPanel({ memory }: { memory: Memory }): JSX.Element {
  const { summary, facts, open_items: items, entities, recent_messages: messages } = memory;
  return (
    <Panel title="Memory" note={whose(memory)}>
      {summary !== '' && <p class="memory-summary">{summary}</p>}
      {Object.keys(facts).length > 0 && (
        <>
          <h3>Facts</h3>
          <Facts rows={Object.entries(facts).map(([name, value]) => [words(name), shown(value)] as const)} />
        </>
      )}
      {items.length > 0 && (
        <>
          <h3>Open items</h3>
          <WideTable label="Open items">
            <TableHead columns={{ Item: '', Priority: '', About: 'wide-only', Since: 'wide-only' }} />
            <tbody>
              {items.map((item) => (
                <tr key={`${item.type} ${item.description}`}>
                  <td class="breakable">
                    {item.description}
                    <small class="under">{words(item.type)}</small>
                  </td>
                  <td>
                    <State tone={tones[item.priority]}>{item.priority}</State>
                  </td>
                  <td class="wide-only breakable">
                    {item.related_to === null
                      ? '–'
                      : `${words(item.related_to.entity_type)} ${item.related_to.entity_id}`}
                  </td>
                  <td class="wide-only">
                    <When at={item.created_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        </>
      )}
      {entities.length > 0 && (
        <>
          <h3>Talked about</h3>
          <WideTable label="Entities">
            <TableHead
              columns={{ What: '', Status: '', Known: 'wide-only', 'Last discussed': 'wide-only' }}
            />
            <tbody>
              {entities.map((entity) => (
                <tr key={`${entity.entity_type} ${entity.entity_id}`}>
                  <th scope="row" class="breakable">
                    {words(entity.entity_type)} {entity.entity_id}
                    {entity.notes !== null && <small class="under">{entity.notes}</small>}
                  </th>
                  <td>{entity.status === '' ? '–' : words(entity.status)}</td>
                  <td class="wide-only breakable">
                    {Object.entries(entity.facts)
                      .map(([name, value]) => `${words(name)}: ${shown(value)}`)
                      .join(', ') || '–'}
                  </td>
                  <td class="wide-only">
                    <When at={entity.last_discussed_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        </>
      )}
      {messages.length > 0 && (
        <>
          <h3>Recent messages</h3>
          <ol class="messages" aria-label="Recent messages, oldest first">
            {messages.map((message) => (
              <li class={message.role} key={`${message.timestamp} ${message.role} ${message.content}`}>
                <p>{message.content}</p>
                <small>
                  {message.role === 'user' ? 'Contact' : 'Agent'}, {message.channel},{' '}
                  <When at={message.timestamp} />
                </small>
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  );
}

const shown = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);

/** `follow_up` as people write it. */
const words = (name: string): string => name.replaceAll('_', ' ');
