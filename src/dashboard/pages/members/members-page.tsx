import type { JSX, TargetedSubmitEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import {
  type Invitation,
  type Invited,
  type Member,
  may,
  ownPeople,
  type People,
  type Role,
  roleNames,
  roleRights,
  whyNot,
} from '../../api/members.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { session } from '../../api/session.js';
import { Page } from '../../frame/page.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { Ago, When } from '../../parts/time.js';
import '../../style/organization.css';
import { useAction } from '../../api/action.js';
import { OneTimeLink } from './one-time-link.js';
import { OrganizationTabs } from './organization-tabs.js';

const roles = Object.keys(roleNames) as Role[];

/** The people of the organization and their invitations. */
export function MembersPage(): JSX.Element {
  return (
    <Page title="Members">
      <OrganizationTabs />
      <MemberPanels people={ownPeople} name="own" />
    </Page>
  );
}

interface MemberPanelsProps {
  readonly people: People;
  /** Tells the lists of one organization from those of another. */
  readonly name: string;
  readonly onChanged?: () => void;
}

/** Members, open invitations, and the form that invites. */
export function MemberPanels({ people, name, onChanged }: MemberPanelsProps): JSX.Element {
  const members = useResource(`members ${name}`, people.readMembers);
  const invitations = useResource(`invitations ${name}`, people.readInvitations);
  const reloadMembers = (): void => {
    members.reload();
    onChanged?.();
  };
  return (
    <div class="organization-columns">
      <div>
        <Panel title="Members">
          <Loaded what="members" from={members}>
            {(list) => <MemberTable people={people} members={list} onChanged={reloadMembers} />}
          </Loaded>
        </Panel>
        <Loaded what="invitations" from={invitations}>
          {(list) =>
            list.length > 0 && (
              <Panel title="Open invitations">
                <InvitationTable people={people} invitations={list} onChanged={invitations.reload} />
              </Panel>
            )
          }
        </Loaded>
      </div>
      <InvitePanel people={people} onInvited={invitations.reload} />
    </div>
  );
}

interface ListProps {
  readonly people?: People;
  readonly onChanged: () => void;
}

export function MemberTable({
  people = ownPeople,
  members,
  onChanged,
}: ListProps & { members: readonly Member[] }): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  if (members.length === 0) {
    return (
      <Empty title="No members yet">
        API keys are shared and name no person. Invite people, and the audit log shows who did what.
      </Empty>
    );
  }
  return (
    <>
      {problem !== undefined && (
        <Problem title="Not changed">
          <p>{problem.message}</p>
        </Problem>
      )}
      <WideTable label="Members, in the order in which they joined">
        <TableHead columns={{ Name: '', Role: '', 'Last sign-in': 'wide-only', Actions: '' }} />
        <tbody class="card-rows">
          {members.map((member) => (
            <MemberRow
              key={member.member_id}
              people={people}
              member={member}
              onChanged={onChanged}
              onProblem={setProblem}
            />
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

interface MemberRowProps extends ListProps {
  readonly people: People;
  readonly member: Member;
  readonly onProblem: (failure: ApiFailure | undefined) => void;
}

function MemberRow({ people, member, onChanged, onProblem }: MemberRowProps): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const [link, setLink] = useState<string | undefined>();
  const mayChange = may(people.scope);
  const isSelf = session.value?.member?.id === member.member_id;
  const run = (work: Promise<unknown>): void => {
    onProblem(undefined);
    work.then(onChanged, (failure: ApiFailure) => {
      onProblem(failure);
      // The choice shows what holds, not what was refused.
      onChanged();
    });
  };
  return (
    <tr>
      <td>
        <span class="party">
          <b>
            {member.name}
            {isSelf && ' (you)'}
          </b>
          <span class="muted">{member.email}</span>
          {member.operator && <span class="muted">sees the fleet</span>}
        </span>
        {link !== undefined && <OneTimeLink what="reset link" link={link} hours={2} />}
      </td>
      <td>
        <select
          aria-label={`Role of ${member.name}`}
          title={mayChange ? roleRights[member.role] : whyNot.value}
          disabled={!mayChange}
          value={member.role}
          onChange={(event) => run(people.changeRole(member.member_id, event.currentTarget.value as Role))}
        >
          {roles.map((role) => (
            <option key={role} value={role}>
              {roleNames[role]}
            </option>
          ))}
        </select>
      </td>
      <td class="wide-only">{member.signed_in_at === null ? 'Never' : <Ago at={member.signed_in_at} />}</td>
      <td>
        <div class="buttons">
          {isAsking ? (
            <>
              <button
                type="button"
                class="small danger"
                onClick={() => run(people.removeMember(member.member_id))}
              >
                Remove for good
              </button>
              <button type="button" class="small" onClick={() => setAsking(false)}>
                Keep
              </button>
            </>
          ) : (
            <>
              <button
                type="button"
                class="small"
                disabled={!mayChange}
                title={mayChange ? 'For a member who forgot the password' : whyNot.value}
                onClick={() => {
                  onProblem(undefined);
                  people.createResetLink(member.member_id).then((made) => setLink(made.link), onProblem);
                }}
              >
                Reset link
              </button>
              <button
                type="button"
                class="small"
                disabled={!mayChange}
                title={mayChange ? undefined : whyNot.value}
                onClick={() => setAsking(true)}
              >
                Remove …
              </button>
            </>
          )}
        </div>
      </td>
    </tr>
  );
}

export function InvitationTable({
  people = ownPeople,
  invitations,
  onChanged,
}: ListProps & { invitations: readonly Invitation[] }): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const mayChange = may(people.scope);
  return (
    <>
      {problem !== undefined && (
        <Problem title="Not withdrawn">
          <p>{problem.message}</p>
        </Problem>
      )}
      <WideTable label="Open invitations, newest first">
        <TableHead columns={{ Email: '', Role: '', Until: 'wide-only', Actions: '' }} />
        <tbody class="card-rows">
          {invitations.map((invitation) => (
            <tr key={invitation.invitation_id}>
              <td>
                <span class="party">
                  {invitation.email} <span class="muted">invited by {invitation.invited_by}</span>
                </span>
              </td>
              <td>{roleNames[invitation.role]}</td>
              <td class="wide-only">
                <When at={invitation.expires_at} />
              </td>
              <td>
                <button
                  type="button"
                  class="small"
                  disabled={!mayChange}
                  title={mayChange ? undefined : whyNot.value}
                  onClick={() =>
                    void people.withdrawInvitation(invitation.invitation_id).then(onChanged, setProblem)
                  }
                >
                  Withdraw
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

export function InvitePanel({
  people = ownPeople,
  onInvited,
}: {
  people?: People;
  onInvited: () => void;
}): JSX.Element {
  const [invited, setInvited] = useState<Invited | undefined>();
  const { isBusy, problem, follow } = useAction();
  const form = useRef<HTMLFormElement>(null);
  const mayInvite = may(people.scope);
  const request = () => {
    const data = new FormData(form.current!);
    return people.inviteOf(String(data.get('email') ?? '').trim(), String(data.get('role')) as Role);
  };
  const invite = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setInvited(undefined);
    follow(send(request()), (made) => {
      setInvited(made);
      form.current?.reset();
      onInvited();
    });
  };
  return (
    <Panel
      title="Invite"
      note="The person gets a link, sets a password and signs in with email and password. The link works once, for 72 hours."
    >
      <form class="plain-form" ref={form} onSubmit={invite}>
        <label>
          Email
          <input
            name="email"
            type="email"
            required
            maxLength={254}
            autocomplete="off"
            disabled={!mayInvite}
          />
        </label>
        <fieldset class="plain-form">
          <legend>Role</legend>
          {roles.map((role) => (
            <label class="check" key={role}>
              <input
                type="radio"
                name="role"
                value={role}
                defaultChecked={role === 'operator'}
                disabled={!mayInvite}
              />
              <span>
                <b>{roleNames[role]}</b>: {roleRights[role]}
              </span>
            </label>
          ))}
        </fieldset>
        {problem !== undefined && (
          <p class="field-problem" role="alert">
            {problem.message}
          </p>
        )}
        {!mayInvite && <p class="note">{whyNot.value}</p>}
        <div class="buttons">
          <button type="submit" class="primary" disabled={!mayInvite || isBusy}>
            Invite
          </button>
        </div>
        <AsCurl requests={() => [request()]} />
      </form>
      {invited !== undefined && (
        <>
          <OneTimeLink what="invitation link" link={invited.link} hours={72} />
          <p class="note" role="status">
            {invited.mailed
              ? `Mailed to ${invited.email}.`
              : `Not mailed: ${invited.mail_error}. Pass the link on to ${invited.email}.`}
          </p>
        </>
      )}
    </Panel>
  );
}
