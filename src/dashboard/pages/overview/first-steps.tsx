import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readContacts } from '../../api/alerts.js';
import { readCalls } from '../../api/calls.js';
import { may, readMembers } from '../../api/members.js';
import type { Summary } from '../../api/noc.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { readTrunk } from '../../api/trunks.js';
import { storedText, storeText } from '../../parts/browser-storage.js';
import { Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { trunkAddress } from '../../parts/trunk-address.js';

/** What the organization has done so far, read from what is stored. */
export interface FirstHour {
  /** E.164, with plus; undefined: none yet. */
  readonly number: string | undefined;
  /** A call was answered, with audio of both sides. */
  readonly isHeard: boolean;
  readonly hasAlert: boolean;
  readonly hasMember: boolean;
}

interface Step {
  readonly title: string;
  readonly note: string;
  readonly isDone: boolean;
  readonly href: string;
  readonly action: string;
}

export const stepsOf = ({ number, isHeard, hasAlert, hasMember }: FirstHour): readonly Step[] => {
  const trunk = number === undefined ? '/trunks/add' : trunkAddress(number);
  const test = number === undefined ? trunk : `/trunks/add?step=test&number=${number.replace('+', '')}`;
  return [
    {
      title: 'Add your first number',
      note: 'Number, PBX, who may call: about four minutes.',
      isDone: number !== undefined,
      href: '/trunks/add',
      action: 'Add number',
    },
    {
      title: 'Call it',
      note: 'Ticked by the first call that is answered and heard both ways.',
      isDone: isHeard,
      href: test,
      action: 'Test call',
    },
    {
      title: 'Set an alert',
      note: 'One notice when the number goes down or its calls fail.',
      isDone: hasAlert,
      href: number === undefined ? '/alerts' : trunk,
      action: 'Set an alert',
    },
    {
      title: 'Invite a member',
      note: 'With a role; the audit log then says who did what.',
      isDone: hasMember,
      href: '/members',
      action: 'Invite',
    },
  ];
};

async function readFirstHour(number: string | undefined, signal: AbortSignal): Promise<FirstHour> {
  const [contacts, heard, members, trunk] = await Promise.all([
    readContacts(signal),
    readCalls({ outcome: 'completed' }, { limit: 20 }, signal),
    may('members:read') ? readMembers(signal) : undefined,
    number === undefined ? undefined : readTrunk(number, signal),
  ]);
  return {
    number,
    isHeard: heard.calls.some(({ audio_problem }) => audio_problem === null),
    hasAlert:
      contacts.emails.length + contacts.phone_numbers.length > 0 ||
      (trunk?.configurations.some(({ alert_config }) => alert_config !== null) ?? false),
    // Without the right to see them there is nothing to do for this session.
    hasMember: members === undefined || members.length > 0,
  };
}

const everyMilliseconds = 30_000;
const hiddenKey = (): string => `demarc-first-steps:${session.value?.organization.id}`;

const isHidden = (): boolean => storedText(hiddenKey()) !== null;

/** A checklist of the first hour, until it is done or hidden. */
export function FirstSteps({ summary }: { summary: Summary }): JSX.Element | null {
  const [isOff, setOff] = useState(isHidden);
  if (isOff || summary.figures.trunks.state === 'unknown') return null;
  const hide = (): void => {
    setOff(true);
    storeText(hiddenKey(), 'hidden');
  };
  return <ReadSteps number={summary.trunks[0]?.phone_number} onHide={hide} />;
}

function ReadSteps({
  number,
  onHide,
}: {
  number: string | undefined;
  onHide: () => void;
}): JSX.Element | null {
  const hour = useResource(`first steps ${number}`, (signal) => readFirstHour(number, signal), {
    everyMilliseconds,
  });
  return hour.data === undefined ? null : <StepList hour={hour.data} onHide={onHide} />;
}

export function StepList({ hour, onHide }: { hour: FirstHour; onHide: () => void }): JSX.Element | null {
  const steps = stepsOf(hour);
  const next = steps.find(({ isDone }) => !isDone);
  if (next === undefined) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title="First steps"
      aside={
        <>
          <span class="figure">
            {done} of {steps.length} done
          </span>{' '}
          <button type="button" class="small bare" onClick={onHide}>
            Hide
          </button>
        </>
      }
    >
      <ol class="first-steps">
        {steps.map(({ title, note, isDone, href, action }) => (
          <li key={title}>
            <State tone={isDone ? 'good' : 'idle'}>{title}</State>
            {isDone ? (
              <span class="unseen">done</span>
            ) : (
              <>
                <p class="note">{note}</p>
                <a class={`button small ${title === next.title ? 'primary' : ''}`} href={href}>
                  {action}
                </a>
              </>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
