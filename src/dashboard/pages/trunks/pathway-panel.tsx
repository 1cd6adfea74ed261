import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { attachmentOf, detachmentOf, readPathways } from '../../api/pathways.js';
import type { ApiRequest } from '../../api/request.js';
import { send } from '../../api/request.js';
import { useResource } from '../../api/resource.js';
import { lackOf } from '../../forms/lack.js';
import { type FollowedPathway, PathwayFields, pathwayOf } from '../../forms/pathway-fields.js';
import { AsCurl } from '../../parts/as-curl.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

const nothing: FollowedPathway = { id: null, version: null };

/** What saving sends; undefined: nothing changes. */
export function changeOf(
  phoneNumber: string,
  before: FollowedPathway,
  after: FollowedPathway,
): ApiRequest | undefined {
  if (after.id === before.id && after.version === before.version) return undefined;
  if (after.id !== null) return attachmentOf(after.id, phoneNumber, after.version);
  return before.id === null ? undefined : detachmentOf(before.id, phoneNumber);
}

/** The pathway that inbound calls to the number follow. */
export function PathwayPanel({ phoneNumber }: { phoneNumber: string }): JSX.Element {
  const pathways = useResource(`pathway of ${phoneNumber}`, readPathways);
  return (
    <Panel
      title="Pathway"
      note="The agent of inbound calls gets it in X-Demarc-Pathway-ID and follows it, if it can."
    >
      <Loaded what="pathways" from={pathways}>
        {(list) => {
          const [own = nothing] = list.flatMap(({ id, numbers }) =>
            numbers.flatMap(({ phone_number, version_number: version }) =>
              phone_number === phoneNumber ? [{ id, version }] : [],
            ),
          );
          return (
            <PathwayForm
              key={`${own.id} ${own.version}`}
              phoneNumber={phoneNumber}
              own={own}
              onChanged={pathways.reload}
            />
          );
        }}
      </Loaded>
    </Panel>
  );
}

function PathwayForm({
  phoneNumber,
  own,
  onChanged,
}: {
  phoneNumber: string;
  own: FollowedPathway;
  onChanged: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const lack = lackOf('pathways:write');
  const request = (fields: FormData) => changeOf(phoneNumber, own, pathwayOf(fields));
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblem(undefined);
    const change = request(new FormData(event.currentTarget));
    if (change !== undefined) send(change).then(onChanged, setProblem);
  };
  return (
    <form class="plain-form" onSubmit={save}>
      <PathwayFields chosen={own} none="That of the persona, or none" />
      {problem !== undefined && (
        <Problem title="Not saved">
          <p>{problem.refusal}</p>
        </Problem>
      )}
      <div class="buttons">
        <button type="submit" class="small" disabled={lack !== undefined} title={lack}>
          Save pathway
        </button>
        {own.id !== null && <a href={`/pathways/${own.id}`}>Open the pathway</a>}
      </div>
      <AsCurl
        requests={(fields) => {
          const change = request(fields);
          return change === undefined ? [] : [change];
        }}
      />
    </form>
  );
}
