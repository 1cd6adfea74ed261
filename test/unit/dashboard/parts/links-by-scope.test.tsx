import { afterEach, describe, expect, it } from 'vitest';
import { session } from '../../../../src/dashboard/api/session.js';
import { ScreenLinkPanel } from '../../../../src/dashboard/pages/incidents/screen-link-panel.js';
import { TestCallPanel } from '../../../../src/dashboard/pages/trunks/test-call-panel.js';
import { CreateLink } from '../../../../src/dashboard/parts/create-link.js';
import { rendered } from '../rendered.js';
import { signInAs } from '../visitor.js';

afterEach(() => {
  session.value = undefined;
});

describe('a link that expires', () => {
  const link = (isAllowed: boolean, isBusy = false, onCreate: (hours: number) => void = () => undefined) =>
    rendered(
      <CreateLink
        choices={[
          [12, '12 hours'],
          [168, '7 days'],
        ]}
        isAllowed={isAllowed}
        isBusy={isBusy}
        onCreate={onCreate}
      />,
    ).elements('button')[0]!;

  it('is created for seven days unless another time is chosen', () => {
    const created: number[] = [];
    link(true, false, (hours) => created.push(hours)).onClick();
    expect(created).toEqual([168]);
  });

  it('names what is missing where it may not be created, and waits for the one before', () => {
    signInAs();
    expect(link(true)).toMatchObject({ disabled: false, title: undefined });
    expect(link(false)).toMatchObject({ disabled: true, title: 'This key lacks the scope for it.' });
    expect(link(true, true).disabled).toBe(true);
  });
});

describe('the link for a screen', () => {
  const panel = () => rendered(<ScreenLinkPanel />);

  it('is offered to who may create keys; nothing is created or refused yet', () => {
    signInAs();
    expect(panel().elements('button')[0]!.disabled).toBe(false);
    signInAs({ scopes: ['keys:read'] as never });
    expect(panel().elements('button')[0]!.disabled).toBe(true);
    expect(panel().text).not.toContain('Valid until');
    expect(panel().html).not.toContain('role="alert"');
  });
});

describe('the test call', () => {
  const button = () => rendered(<TestCallPanel phoneNumber="+14155550100" />);

  it('is offered at first, to who may place calls or change trunks', () => {
    signInAs();
    expect(button().all('button')).toContain('Place a test call');
    expect(button().elements('button')[0]).toMatchObject({ disabled: false, title: undefined });
    expect(button().text).not.toContain('could not be placed');
    signInAs({ scopes: ['trunks:write'] as never });
    expect(button().elements('button')[0]!.disabled).toBe(false);
    signInAs({ scopes: ['calls:read', 'trunks:read'] as never });
    expect(button().elements('button')[0]!.disabled).toBe(true);
  });
});
