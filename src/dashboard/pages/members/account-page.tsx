import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ApiFailure } from '../../api/client.js';
import { roleRights } from '../../api/members.js';
import { changePassword, type Session, session, switchOrganization } from '../../api/session.js';
import { Page } from '../../frame/page.js';
import { Empty } from '../../parts/notice.js';
import { Facts, Panel } from '../../parts/panel.js';
import '../../style/organization.css';
import { OrganizationTabs } from './organization-tabs.js';

/** What a person can change of the own account. */
export function AccountPage(): JSX.Element {
  const current = session.value;
  return (
    <Page title="Your account">
      <OrganizationTabs />
      {current?.member == null ? (
        <Empty title="Signed in with an API key">
          An account belongs to a person who signs in with email and password. Invite yourself under{' '}
          <a href="/members">Members</a>.
        </Empty>
      ) : (
        <div class="organization-columns">
          <Panel title="You">
            <Facts
              rows={[
                ['Name', current.member.name],
                ['Email', current.member.email],
                ['Role', `${current.member.role}: ${roleRights[current.member.role]}`],
              ]}
            />
            <Organizations current={current} />
          </Panel>
          <PasswordPanel />
        </div>
      )}
    </Page>
  );
}

function Organizations({ current }: { current: Session }): JSX.Element | null {
  const { route } = useLocation();
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  if (current.organizations.length < 2) return null;
  return (
    <label class="plain-form">
      Organization
      <select
        value={current.organization.id}
        onChange={(event) =>
          void switchOrganization(event.currentTarget.value).then(() => route('/'), setProblem)
        }
      >
        {current.organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {problem !== undefined && <span class="field-problem">{problem.message}</span>}
    </label>
  );
}

function PasswordPanel(): JSX.Element {
  const [message, setMessage] = useState<readonly [kind: 'good' | 'bad', text: string] | undefined>();
  const change = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    changePassword(String(data.get('current')), String(data.get('password'))).then(
      () => {
        form.reset();
        setMessage(['good', 'Changed. All other sessions have ended.']);
      },
      (failure: ApiFailure) =>
        setMessage([
          'bad',
          failure.code === 'WRONG_PASSWORD' ? 'The present password is wrong.' : failure.message,
        ]),
    );
  };
  return (
    <Panel title="Password" note="At least 12 characters. Changing it ends all other sessions.">
      <form class="plain-form" onSubmit={change}>
        <label>
          Present password
          <input name="current" type="password" autocomplete="current-password" required />
        </label>
        <label>
          New password
          <input
            name="password"
            type="password"
            autocomplete="new-password"
            minLength={12}
            maxLength={256}
            required
          />
        </label>
        <div class="buttons">
          <button type="submit" class="primary">
            Change password
          </button>
        </div>
        <p role="status" class={message?.[0] === 'bad' ? 'field-problem' : 'muted'}>
          {message?.[1]}
        </p>
      </form>
    </Panel>
  );
}
